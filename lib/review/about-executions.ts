import { type SqlParameters } from './sql-parameters';

/**
 * Events that name one of these executions (R-088j), as a condition on `review.audit_events e`: those about it, those that tell
 * of its making, and those of the request that it was made for. Each by its index, asked once and not per event.
 */
export function aboutExecutions(executionIds: readonly string[], $: SqlParameters): string {
  const ids = $.add(executionIds, 'uuid[]');
  return `(e.execution_id = any(${ids})
    or e.number = any(array(select n.number from review.audit_events n where review.new_execution_of(n.body) = any(${ids})))
    or e.approval_request_id = any(array(select r.request_id from review.approval_requests r where r.new_execution_id = any(${ids}))))`;
}
