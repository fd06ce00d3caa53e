import 'server-only';
import { z } from 'zod';
import { JOB_CAP } from '@/lib/domain/bulk-job';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { RefusalCode } from '@/lib/domain/refusals';
import { auditRefusal } from '../audit-refusal';
import { operationId, storableText } from '../command-input';
import type { DeskContext } from '../desk-context';
import type { ExceptionFilter } from '../exception-filter';
import { carryOut, parseCommand } from '../run-command';
import { judgedLinks, matchingRows, rowsLeft, type FrozenRow } from './frozen-rows';

/** What the queue's address says: its filter, and the address without the words searched for. */
export interface ReadFilter {
  readonly filter: ExceptionFilter;
  readonly address: string;
}

const row = z.strictObject({ exceptionId: z.uuid(), exceptionVersion: z.string().regex(/^\d{1,18}$/) });

/** About which exceptions: all that a filter finds now, chosen ones as they were seen, or what another job has left. */
const source = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('filter'), address: z.string().max(4_000) }),
  z.strictObject({ of: z.literal('rows'), rows: z.array(row).min(1).max(JOB_CAP) }),
  z.strictObject({ of: z.literal('job'), jobId: z.uuid() }),
]);

const input = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('assign'), operationId, source, assigneeId: z.uuid().nullable() }),
  z.strictObject({
    act: z.literal('defer'),
    operationId,
    source,
    until: z.iso.datetime({ offset: true }),
    place: storableText,
    reason: storableText,
  }),
  z.strictObject({ act: z.literal('look-up'), operationId, source }),
  z.strictObject({ act: z.literal('link'), operationId, source }),
]);

type Asked = z.infer<typeof input>;

const EVENT = 'bulk.prepared';
const STATEMENT = 'select review.prepare_bulk_job($1::jsonb) as answer';

interface Frozen {
  rows: readonly FrozenRow[];
  matched: number;
  filter?: string;
  words?: string;
}

/**
 * R-053 Freezes what a bulk job is about, for its preview: nothing happens to any of the exceptions before it is started.
 * `readFilter` reads the queue's address; null: it says something that does not exist.
 */
export async function prepareBulkJob(
  ctx: DeskContext,
  raw: unknown,
  readFilter: (address: string) => ReadFilter | null,
): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, { input, event: EVENT }, raw);
  if (!parsed.ok) return parsed.answer;
  const { source: from, ...asked } = parsed.input;
  const frozen = await freeze(ctx, from, readFilter);
  if (typeof frozen === 'string') {
    await auditRefusal(ctx, EVENT, frozen, { operationId: asked.operationId }, { act: asked.act });
    return { outcome: 'refused', code: frozen };
  }
  const rows = asked.act === 'link' ? await judgedLinks(ctx, frozen.rows) : frozen.rows;
  const retryOf = from.of === 'job' ? from.jobId : null;
  return carryOut(ctx, { event: EVENT, statement: STATEMENT }, { ...asked, ...frozen, rows, retryOf });
}

async function freeze(
  ctx: DeskContext,
  from: Asked['source'],
  readFilter: (address: string) => ReadFilter | null,
): Promise<Frozen | RefusalCode> {
  if (from.of === 'rows') return { rows: from.rows, matched: from.rows.length };
  if (from.of === 'job') {
    const rows = await rowsLeft(ctx, from.jobId);
    return { rows, matched: rows.length };
  }
  const read = readFilter(from.address);
  if (read === null) return 'INVALID_INPUT';
  const found = await matchingRows({ actor: ctx.actor, db: ctx.pool }, read.filter);
  if (found === 'too-broad') return 'SEARCH_TOO_BROAD';
  return { ...found, filter: read.address, words: read.filter.text };
}
