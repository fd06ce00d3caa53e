import type { Transaction } from '@/lib/db/transaction';
import type { Actor } from '@/lib/domain/actor';
import type { ApprovalTerms } from '@/lib/domain/approval-policy';
import type { RefusalCode } from '@/lib/domain/refusals';
import type { StepView } from '@/lib/domain/request-view';

/** Names shown beside a step that waits; whoever else there is, is only said to be there. */
const NAMES = 6;

// The steps of the request and of the policy in force; one that both have is one line. By primary keys; people of the tenant.
const STEPS = `
  select s.step, s.asked, s.now,
    review.fits_step($2::uuid, r, s.step) as mine,
    (select coalesce(jsonb_agg(jsonb_build_object('kind', 'person', 'id', p.person_id, 'name', p.display_name) order by d.decided_at), '[]')
       from review.approval_decisions d join review.people p on p.person_id = d.approver_id
      where d.request_id = r.request_id and d.verdict = 'APPROVE' and d.digest = r.digest
        and (not s.now or review.reason_suffices(d.rationale, review.terms_now(r))) and review.fits_step(p.person_id, r, s.step)) as "passedBy",
    (select coalesce(jsonb_agg(jsonb_build_object('kind', 'person', 'id', able.person_id, 'name', able.display_name)), '[]') from (
       select p.person_id, p.display_name from review.people p
        where p.disabled_at is null and r.tenant_id = any(p.tenant_ids) and p.person_id <> r.requested_by
          and not exists (select from review.approval_decisions d where d.request_id = r.request_id and d.approver_id = p.person_id)
          and review.fits_step(p.person_id, r, s.step)
        order by p.display_name, p.person_id limit ${NAMES + 1}) able) as able
  from review.approval_requests r cross join lateral (
    select t.value as step, bool_or(t.source = 'then') as asked, bool_or(t.source = 'now') as now, min(t.place) as place from (
      select 'then' as source, e.value, e.ordinality as place from jsonb_array_elements(review.terms_of(r)->'steps') with ordinality e
      union all select 'now', e.value, e.ordinality from jsonb_array_elements(review.terms_now(r)->'steps') with ordinality e) t
    group by t.value) s
  where r.request_id = $1 order by s.place, s.asked desc`;

interface Read extends Omit<StepView, 'missing' | 'mayPass' | 'more'> {
  able: StepView['mayPass'];
  mine: boolean;
}

export interface StepsRead {
  readonly steps: readonly StepView[];
  /** Why this person's approval would carry nothing; null where it would, or where something else refuses it first. */
  readonly refusal: RefusalCode | null;
}

/** What has passed of what a request needs, and who may pass the rest, at this moment. */
export async function readSteps(
  tx: Transaction,
  actor: Actor,
  requestId: string,
  inForce: ApprovalTerms | null,
): Promise<StepsRead> {
  const { rows } = await tx.query<Read & Record<string, unknown>>(STEPS, [requestId, actor.personId]);
  const steps = rows.map(({ able, mine: _mine, ...row }) => ({
    ...row,
    missing: Math.max(0, row.step.count - row.passedBy.length),
    mayPass: able.slice(0, NAMES),
    more: able.length > NAMES,
  }));
  const refusal =
    inForce === null ? 'NO_APPROVAL_POLICY' : rows.some((row) => row.mine) ? null : 'NOT_IN_GROUP';
  return { steps, refusal };
}
