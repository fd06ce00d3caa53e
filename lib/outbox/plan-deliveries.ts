import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import { deliverAt } from '@/lib/domain/delivery-time';
import { DEFAULT_SETTINGS, goesBy, type NotificationSettings } from '@/lib/domain/notification-settings';
import type { NotificationReason, NotificationWay } from '@/lib/domain/notifications';

interface Unplanned extends Record<string, unknown> {
  notification_id: string;
  person_id: string;
  reason: NotificationReason;
  is_urgent: boolean;
  now: Date;
  settings: NotificationSettings | null;
}

/**
 * Decides for every new notification which ways it goes and when, by what its person chose; one message for all that goes to
 * one person by one way at one moment. Answers how many messages wait now. Two workers never plan at once.
 */
export async function planDeliveries(
  pool: Pool,
  context: TransactionContext,
  ways: readonly NotificationWay[],
): Promise<number> {
  return transaction(pool, context, async (tx) => {
    const { rows } = await tx.query<Unplanned>('select * from review.unplanned_notifications()');
    if (rows.length === 0) return 0;
    const plan = rows.flatMap((row) => {
      const settings = row.settings ?? DEFAULT_SETTINGS;
      return ways
        .filter((way) => goesBy(settings, way, row.reason))
        .map((way) => ({
          notificationId: row.notification_id,
          personId: row.person_id,
          way,
          sendAt: deliverAt(row.now, settings, row.is_urgent).toISOString(),
        }));
    });
    const ids = rows.map((row) => row.notification_id);
    const { rows: planned } = await tx.query<{ count: number }>(
      'select review.plan_messages($1::jsonb, $2::uuid[]) as count',
      [JSON.stringify(plan), ids],
    );
    return planned[0]?.count ?? 0;
  });
}
