import 'server-only';
import { transaction } from '@/lib/db/transaction';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { notificationSettings } from '@/lib/domain/notification-settings';
import { safeParse } from '@/lib/domain/safe-parse';
import type { DeskContext } from '../desk-context';

/** How the actor wants to be told: their own wish, for themselves alone. What waits already goes out as it was planned. */
export async function chooseNotifications(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = safeParse(notificationSettings, raw);
  if (!parsed.success) return { outcome: 'refused', code: 'INVALID_INPUT' };
  await transaction(ctx.pool, ctx.context, (tx) =>
    tx.query('select review.choose_notifications($1::jsonb)', [JSON.stringify(parsed.data)]),
  );
  return { outcome: 'done', repeated: false };
}
