import type { SqlParameters } from './sql-parameters';

/** Events of one execution, exception or request at most, the oldest: what has more is read by the filter for it alone. */
const MOST_OF_ONE = 1_000;

/**
 * Which events belong to one story, for the page, the list and the file alike (R-088ad); as a condition on `review.audit_events
 * e`: those about the executions of the work that the numbered event is about (its request's, and whatever was made for them),
 * about those executions' exceptions, and about the requests made in them. Each by its index, asked once and not per event. It
 * shows nothing by itself: callers narrow to the reader's tenants.
 */
export function ofStory(number: string, $: SqlParameters): string {
  return `e.number = any(array(
    with event as (select s.exception_id, s.execution_id, s.approval_request_id from review.audit_events s where s.number = ${$.add(number, 'bigint')}),
    named as (select s.approval_request_id, s.execution_id, s.exception_id, r.execution_id as asked_execution,
        r.new_execution_id as made_execution, r.exception_id as asked_exception, c.execution_id as excepted_execution
      from event s
      left join review.approval_requests r on r.request_id = s.approval_request_id
      left join review.exceptions c on c.exception_id = s.exception_id),
    own as (select x.id from named, lateral (values (execution_id), (asked_execution), (made_execution), (excepted_execution)) x (id) where x.id is not null),
    executions as (select id from own union
      select sibling.execution_id from own
        join ledger.executions o on o.execution_id = own.id
        join ledger.executions sibling on sibling.lineage_id = o.lineage_id),
    exceptions as (select x.id from named, lateral (values (exception_id), (asked_exception)) x (id) where x.id is not null union
      select c.exception_id from executions join review.exceptions c on c.execution_id = executions.id),
    requests as (select approval_request_id as id from named where approval_request_id is not null union
      select r.request_id from exceptions join review.approval_requests r on r.exception_id = exceptions.id)
    select n.number from executions cross join lateral (select e.number from review.audit_events e where e.execution_id = executions.id order by e.number limit ${MOST_OF_ONE}) n
    union select n.number from exceptions cross join lateral (select e.number from review.audit_events e where e.exception_id = exceptions.id order by e.number limit ${MOST_OF_ONE}) n
    union select n.number from requests cross join lateral (select e.number from review.audit_events e where e.approval_request_id = requests.id order by e.number limit ${MOST_OF_ONE}) n))`;
}
