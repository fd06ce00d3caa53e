'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { prepareBulkJob, type ReadFilter } from '@/lib/review/bulk/prepare-bulk-job';
import { steerBulkJob } from '@/lib/review/bulk/steer-bulk-job';
import { pageAct, settlePageAct } from '@/lib/review/page-act';
import { readQueueAddress, writeQueueAddress } from '../search-params';

export async function prepareBulkJobAction(input: unknown): Promise<CommandAnswer> {
  return pageAct((ctx, given) => prepareBulkJob(ctx, given, readFilter), input);
}
export async function steerBulkJobAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(steerBulkJob, input);
}
export async function settleBulkJobAction(operationId: string): Promise<CommandAnswer> {
  return settlePageAct(operationId);
}

/** The queue's address as its page reads it; what is kept of it leaves out the words searched for and what only shows. */
function readFilter(query: string): ReadFilter | null {
  const read = readQueueAddress(Object.fromEntries(new URLSearchParams(query)));
  if (read.kind === 'misread') return null;
  const shown = { q: null, sort: null, cursor: null, density: null, columns: null };
  return { filter: read.filter, address: writeQueueAddress({ ...read.address, ...shown }) };
}
