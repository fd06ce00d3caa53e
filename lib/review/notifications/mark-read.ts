import 'server-only';
import { z } from 'zod';
import { transaction } from '@/lib/db/transaction';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { safeParse } from '@/lib/domain/safe-parse';
import type { DeskContext } from '../desk-context';

const input = z.union([
  z.strictObject({ ids: z.array(z.uuid()).min(1).max(200) }),
  /** What the page showed last: what came since has been seen by nobody. */
  z.strictObject({ upTo: z.iso.datetime() }),
]);

/** The actor has read these of their own notifications, or all up to an instant. Others' are not touched, nor told of. */
export async function markRead(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = safeParse(input, raw);
  if (!parsed.success) return { outcome: 'refused', code: 'INVALID_INPUT' };
  await transaction(ctx.pool, ctx.context, (tx) =>
    tx.query('select review.read_notifications($1::jsonb)', [JSON.stringify(parsed.data)]),
  );
  return { outcome: 'done', repeated: false };
}
