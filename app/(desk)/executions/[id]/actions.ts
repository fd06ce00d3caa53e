'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { openInput } from '@/lib/review/open-input';
import { pageAct, settlePageAct } from '@/lib/review/page-act';

export async function openInputAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(openInput, input);
}

/** What became of an act whose answer was lost. */
export async function settleOperationAction(operationId: string): Promise<CommandAnswer> {
  return settlePageAct(operationId);
}
