import { lineageOf, type Lineage, type LineageMember } from '@/lib/domain/lineage';
import type { ReadContext } from './read-context';

/** Keys that one page draws. More than a handful are rare: each needs a request and an approval of its own. */
const LARGEST_LINEAGE = 50;

interface Read extends LineageMember, Record<string, unknown> {
  more: boolean;
}

/**
 * From key to key along "made for", in both directions and never back the way it came, so that each is reached once and the
 * nearest first; the walk stops one beyond the limit. A reissue is its original's tenant's, and the tenants are asked all the same.
 * Indexes: executions_pkey, executions_by_original, approval_requests_new_execution_id_key.
 */
const NEAREST = `
  with recursive walk as (
    select e.execution_id, e.reissue_of, null::uuid as came_from from ledger.executions e
    where e.execution_id = $1::uuid and e.tenant_id = any($2::text[])
    union all
    select e.execution_id, e.reissue_of, w.execution_id from walk w
    cross join lateral (
      select * from ledger.executions o where o.execution_id = w.reissue_of
      union all
      select * from ledger.executions r where r.reissue_of = w.execution_id) e
    where e.execution_id is distinct from w.came_from and e.tenant_id = any($2::text[])),
  nearest as (select execution_id from walk limit ${LARGEST_LINEAGE})
  select e.execution_id as "executionId", e.lineage_id as "lineageId", e.operation, e.idempotency_key as key, e.state,
    e.result_id as "resultId", e.reissue_relation as relation, e.reissue_of as "reissueOf",
    e.superseded_by is not null as superseded, ledger.instant(e.created_at) as "createdAt",
    (select x.exception_id from review.exceptions x where x.execution_id = e.execution_id and x.state = 'OPEN'
     order by x.severity, x.opened_at limit 1) as "openExceptionId",
    case when r.request_id is not null then jsonb_build_object('requestId', r.request_id,
      'requestedBy', jsonb_build_object('personId', r.requested_by, 'displayName', a.display_name),
      'approvals', coalesce((select jsonb_agg(jsonb_build_object('personId', d.approver_id, 'displayName', p.display_name,
          'at', ledger.instant(d.decided_at)) order by d.decided_at, d.approver_id)
        from review.approval_decisions d join review.people p on p.person_id = d.approver_id
        where d.request_id = r.request_id and d.verdict = 'APPROVE'), '[]')) end as request,
    (select count(*) > ${LARGEST_LINEAGE} from (select from walk limit ${LARGEST_LINEAGE + 1}) reached) as more
  from nearest join ledger.executions e using (execution_id)
  left join review.approval_requests r on r.new_execution_id = e.execution_id
  left join review.people a on a.person_id = r.requested_by
  order by e.created_at, e.execution_id`;

/** The key's lineage with the neighbours that new work made, in the actor's tenants. */
export async function readLineage(ctx: ReadContext, executionId: string): Promise<Lineage> {
  const { rows } = await ctx.db.query<Read>(NEAREST, [executionId, ctx.actor.tenantIds]);
  const members = rows.map(({ more: _more, ...member }): LineageMember => member);
  return lineageOf(members, executionId, rows[0]?.more ?? false);
}
