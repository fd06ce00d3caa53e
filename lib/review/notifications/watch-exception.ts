import 'server-only';
import { z } from 'zod';
import { recordDenied } from '@/lib/access/record-denied';
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
  if (rows[0]?.known === true) return { outcome: 'done', repeated: false };
  // The wish itself is no audited act; reaching for what one does not see is.
  await recordDenied(ctx.pool, ctx.context, { act: 'exception.watch', reason: 'NOT_FOUND' });
  return { outcome: 'refused', code: 'NOT_FOUND' };
}
