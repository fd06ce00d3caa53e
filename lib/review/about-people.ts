import { type SqlParameters } from './sql-parameters';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Events in which one of these acted, and what came of the requests that they asked for or decided (R-088t), whoever carried it
 * out; as a condition on `review.audit_events e`. Each by its index, asked once and not per event. What somebody else asked
 * before they had any part in it is not theirs.
 */
export function aboutPeople(actorIds: readonly string[], $: SqlParameters): string {
  const acted = `e.actor_id = any(${$.add(actorIds, 'text[]')})`;
  const personIds = actorIds.filter((id) => UUID.test(id));
  if (personIds.length === 0) return acted;
  const ids = $.add(personIds, 'uuid[]');
  return `(${acted} or (e.event !~ '[._]requested$' and e.approval_request_id = any(array(
    select r.request_id from review.approval_requests r where r.requested_by = any(${ids})
    union select d.request_id from review.approval_decisions d where d.approver_id = any(${ids})))))`;
}
