import type { Queryable } from '@/lib/db/pool';
import { peopleNeeded, type ApprovalTerms } from '@/lib/domain/approval-policy';
import type { Relation } from '@/lib/domain/decisions';
import {
  readExposure,
  type ExposureFigures,
  type ReissueChoice,
  type RequestedReissue,
} from '@/lib/domain/reissue-exposure';

interface ChoiceRow {
  relation: Relation;
  intakeId: string | null;
  figures: ExposureFigures;
  terms: ApprovalTerms | null;
}

// By primary keys.
const CHOICES = `
  select c.relation, c.intake_id as "intakeId", review.reissue_exposure(e, c.intake_id) as figures,
    review.approval_terms('REISSUE', e, c.intake_id, c.relation) as terms
  from ledger.executions e cross join (
    values ('RETRY_AS_NEW', null::uuid), ('NEW_WORK', null)
    union all select r.relation, i.intake_id from unnest($2::uuid[]) as i (intake_id) cross join (values ('CORRECTION'), ('NEW_WORK')) as r (relation)
  ) as c (relation, intake_id)
  where e.execution_id = $1::uuid`;

/** Every way of asking for a new key for this execution: with the same content, or with that of one of these arrivals. */
export async function readReissueChoices(
  db: Queryable,
  executionId: string,
  intakeIds: readonly string[],
): Promise<ReissueChoice[]> {
  const { rows } = await db.query<ChoiceRow & Record<string, unknown>>(CHOICES, [executionId, intakeIds]);
  return rows.map(({ relation, intakeId, figures, terms }) => ({
    relation,
    intakeId,
    exposure: readExposure(figures),
    approvals: terms === null ? null : peopleNeeded(terms.steps),
  }));
}

type RequestedRow = Omit<RequestedReissue, 'exposure'> & { figures: ExposureFigures };

// Index: approval_requests_by_exception. One that ended without a key leaves nothing standing.
const REQUESTED = `
  select r.request_id as "requestId", r.relation, r.state, r.intake_id is null as "sameContent",
    review.reissue_exposure(e, r.intake_id) as figures
  from review.approval_requests r join ledger.executions e on e.execution_id = r.execution_id
  where r.exception_id = $1::uuid and r.kind = 'REISSUE' and r.state in ('PENDING', 'APPROVED', 'EXECUTED')
  order by r.requested_at desc limit 1`;

/** The new key that was asked for with this exception; null when there is none under way or made. */
export async function readRequestedReissue(
  db: Queryable,
  exceptionId: string,
): Promise<RequestedReissue | null> {
  const { rows } = await db.query<RequestedRow & Record<string, unknown>>(REQUESTED, [exceptionId]);
  const row = rows[0];
  if (row === undefined) return null;
  const { figures, ...request } = row;
  return { ...request, exposure: readExposure(figures) };
}
