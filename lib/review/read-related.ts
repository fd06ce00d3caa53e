import type { Queryable } from '@/lib/db/pool';
import type { OtherException, RelatedExecution } from '@/lib/domain/exception-view';

type Row<T> = T & Record<string, unknown>;

/** Steps that one page reads: of longer workflows the first, the last, and the page's own. */
const HALF = 100;

/** The steps of the execution's workflow, in order of their making. Index: executions_by_workflow. */
export async function readSteps(db: Queryable, executionId: string): Promise<RelatedExecution[]> {
  const { rows } = await db.query<Row<RelatedExecution>>(
    `select e.execution_id as "executionId", e.operation, e.idempotency_key as key, e.step, e.state, e.expired_from as "expiredFrom",
       e.result_id as "resultId", e.reissue_relation as relation, ledger.instant(e.created_at) as "createdAt",
       e.execution_id = $1::uuid as "isThis", e.place, e.of,
       (select x.exception_id from review.exceptions x where x.execution_id = e.execution_id and x.state = 'OPEN'
        order by x.severity, x.opened_at limit 1) as "openExceptionId"
     from (select each.*, (row_number() over (order by each.created_at, each.execution_id))::integer as place,
         (count(*) over ())::integer as of
       from ledger.executions this
       join ledger.executions each on each.principal_id = this.principal_id and each.workflow_id = this.workflow_id
       where this.execution_id = $1::uuid) e
     where e.place <= ${HALF} or e.place > e.of - ${HALF - 1} or e.execution_id = $1::uuid
     order by e.place`,
    [executionId],
  );
  return rows;
}

/** Other open exceptions of the same lineage: one decision may settle several. */
export async function readOtherExceptions(
  db: Queryable,
  exceptionId: string,
  lineageId: string,
): Promise<OtherException[]> {
  const { rows } = await db.query<Row<OtherException>>(
    `select exception_id as "exceptionId", kind, execution_id as "executionId", ledger.instant(opened_at) as "openedAt"
     from review.exceptions where lineage_id = $1::uuid and state = 'OPEN' and exception_id <> $2::uuid
     order by opened_at, exception_id limit 20`,
    [lineageId, exceptionId],
  );
  return rows;
}
