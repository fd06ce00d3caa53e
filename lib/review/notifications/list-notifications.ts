import 'server-only';
import type { NotificationRow } from '@/lib/domain/notification-row';
import {
  afterPosition,
  LARGEST_PAGE,
  orderBy,
  positionOf,
  readCursor,
  takePage,
  type Keyset,
  type Page,
} from '../keyset';
import type { ReadContext } from '../read-context';
import { SqlParameters } from '../sql-parameters';

const KEYSET: Keyset = {
  columns: [
    { expression: 'n.made_at', type: 'timestamptz' },
    { expression: 'n.notification_id', type: 'uuid' },
  ],
  descending: true,
};

export type ListNotificationsAnswer = ({ kind: 'page' } & Page<NotificationRow>) | { kind: 'cursor-refused' };

/**
 * One page of the actor's own notifications, the newest first, of tenants that they may see now: a right that was taken
 * away takes them along. Indexes: notifications_inbox, notifications_unread.
 */
export async function listNotifications(
  ctx: ReadContext,
  input: { unreadOnly: boolean; cursor: string | null; size: number },
): Promise<ListNotificationsAnswer> {
  const size = Math.min(Math.max(1, Math.trunc(input.size)), LARGEST_PAGE);
  const tenants = [...new Set(ctx.actor.tenantIds)].sort();
  const binding = ['notifications', ctx.actor.personId, String(input.unreadOnly), ...tenants];
  const position = input.cursor === null ? null : readCursor(input.cursor, KEYSET, binding);
  if (input.cursor !== null && position === null) return { kind: 'cursor-refused' };
  const $ = new SqlParameters();
  const { rows } = await ctx.db.query<NotificationRow & { position: string[] } & Record<string, unknown>>(
    `select ${positionOf(KEYSET)} as position, n.notification_id as "notificationId", n.reason, n.tenant_id as "tenantId",
       t.display_name as "tenantName", n.exception_id as "exceptionId", n.request_id as "requestId", n.job_id as "jobId",
       ledger.instant(n.made_at) as "madeAt", ledger.instant(n.read_at) as "readAt",
       case when p.person_id is not null then jsonb_build_object('personId', p.person_id, 'displayName', p.display_name) end as actor,
       case when x.exception_id is not null then jsonb_build_object('kind', x.kind, 'state', x.state, 'severity', x.severity,
         'operation', x.operation) end as exception, r.state as "requestState",
       review.proposal_told(n.proposal_id) as proposal, case when n.reason = 'ASSIGNED' then j.done end as "jobRows"
     from review.notifications n
     join review.tenants t on t.tenant_id = n.tenant_id
     left join review.people p on p.person_id = n.actor_id
     left join review.exceptions x on x.exception_id = n.exception_id
     left join review.bulk_jobs j on j.job_id = n.job_id
     left join review.approval_requests r on r.request_id = n.request_id
     where n.person_id = ${$.add(ctx.actor.personId, 'uuid')} and n.tenant_id = any(${$.add(tenants, 'text[]')})
       ${input.unreadOnly ? 'and n.read_at is null' : ''} and ${afterPosition(KEYSET, position, $)}
     order by ${orderBy(KEYSET, position?.backwards ?? false)} limit ${$.add(size + 1, 'integer')}`,
    $.values,
  );
  const page = takePage(rows, size, position, binding);
  return {
    kind: 'page',
    ...page,
    rows: page.rows.map(({ position: _position, ...row }) => row as NotificationRow),
  };
}
