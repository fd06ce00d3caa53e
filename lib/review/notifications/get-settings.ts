import 'server-only';
import { DEFAULT_SETTINGS, type NotificationSettings } from '@/lib/domain/notification-settings';
import type { NotificationWay } from '@/lib/domain/notifications';
import type { DeliveryFailure } from '@/lib/outbox/outbound-message';
import type { ReadContext } from '../read-context';

/** Messages given up that one page shows. */
const MOST = 10;

interface GivenUp {
  messageId: string;
  way: NotificationWay;
  endedAt: string;
  failure: DeliveryFailure;
}

export interface OwnSettings {
  /** The defaults where nothing has been chosen. */
  settings: NotificationSettings;
  /** Messages to the actor that could not be delivered within a month, the latest first. */
  givenUp: GivenUp[];
}

/** How the actor is told, and what did not reach them. Index: outbox_messages_dead. */
export async function getNotificationSettings(ctx: ReadContext): Promise<OwnSettings> {
  const { rows } = await ctx.db.query<{ settings: NotificationSettings | null; givenUp: GivenUp[] | null }>(
    `select (select to_jsonb(s) - 'person_id' - 'updated_at' from review.notification_settings s where person_id = $1::uuid) as settings,
       (select jsonb_agg(d) from (
         select message_id as "messageId", way, ledger.instant(ended_at) as "endedAt", coalesce(failure, 'OTHER') as failure
           from review.outbox_messages
          where person_id = $1::uuid and state = 'DEAD' and ended_at > ledger.clock() - interval '30 days'
          order by ended_at desc limit ${MOST}) d) as "givenUp"`,
    [ctx.actor.personId],
  );
  return { settings: rows[0]?.settings ?? DEFAULT_SETTINGS, givenUp: rows[0]?.givenUp ?? [] };
}
