import 'server-only';
import { z } from 'zod';
import { transaction } from '@/lib/db/transaction';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { safeParse } from '@/lib/domain/safe-parse';
import type { DeskContext } from '../desk-context';

const input = z.strictObject({ exceptionId: z.uuid(), watches: z.boolean() });

/** R-049 To hear of every act on an exception, or no longer. The reader's own wish: it changes nothing for anybody else. */
export async function watchException(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = safeParse(input, raw);
  if (!parsed.success) return { outcome: 'refused', code: 'INVALID_INPUT' };
  const { exceptionId, watches } = parsed.data;
  const { rows } = await transaction(ctx.pool, ctx.context, (tx) =>
    tx.query<{ known: boolean }>('select review.watch_exception($1::uuid, $2) as known', [
      exceptionId,
      watches,
    ]),
  );
  return rows[0]?.known === true
    ? { outcome: 'done', repeated: false }
    : { outcome: 'refused', code: 'NOT_FOUND' };
}
