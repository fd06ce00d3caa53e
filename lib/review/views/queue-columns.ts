import 'server-only';
import { z } from 'zod';
import { transaction } from '@/lib/db/transaction';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { isColumnChoice, QUEUE_COLUMNS, type QueueColumn } from '@/lib/domain/queue-columns';
import { safeParse } from '@/lib/domain/safe-parse';
import type { DeskContext } from '../desk-context';
import type { ReadContext } from '../read-context';

const INPUT = z.strictObject({
  /** Null: the default again. */
  columns: z.array(z.enum(QUEUE_COLUMNS)).max(QUEUE_COLUMNS.length).refine(isColumnChoice).nullable(),
});

/** R-053 The columns that the actor chose, in their order; null: the default. By primary key. */
export async function getQueueColumns({ actor, db }: ReadContext): Promise<readonly QueueColumn[] | null> {
  const { rows } = await db.query<{ columns: QueueColumn[] }>(
    'select columns from review.queue_columns where person_id = $1::uuid',
    [actor.personId],
  );
  return rows[0]?.columns ?? null;
}

/** R-053 Which columns the actor sees, whatever browser they use. Their own wish, and no event of the audit. */
export async function chooseQueueColumns(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = safeParse(INPUT, raw);
  if (!parsed.success) return { outcome: 'refused', code: 'INVALID_INPUT' };
  await transaction(ctx.pool, ctx.context, (tx) =>
    tx.query('select review.choose_queue_columns($1::text[])', [parsed.data.columns]),
  );
  return { outcome: 'done', repeated: false };
}
