import type { Queryable } from '@/lib/db/pool';
import type { ActivityView, DecisionView, EvidenceView } from '@/lib/domain/exception-view';
import type { ActorRef } from '@/lib/domain/person-ref';
import type { RequestSummary } from '@/lib/domain/request-summary';
import type { PersonRef } from '@/lib/domain/person-ref';
import { listLookups, type LookupShown } from '@/lib/lookup/list-lookups';
import { REQUEST_LIMITS } from './request-limits';

type Row<T> = T & Record<string, unknown>;

const actorOf = (kind: string, id: string, name: string) =>
  `jsonb_build_object('kind', ${kind}, 'id', ${id}, 'name', ${name})`;

/** One exception with its execution, or an execution with all of its exceptions. */
export interface StorySubject {
  readonly exceptionId?: string;
  readonly executionId: string | null;
}

const valuesOf = ({ exceptionId, executionId }: StorySubject) => [exceptionId ?? null, executionId];

/** What happened to the exceptions, oldest first; the newest 200. Indexes: exception_events_by_exception, exceptions_by_execution. */
export async function readActivity(db: Queryable, subject: StorySubject): Promise<ActivityView[]> {
  const { rows } = await db.query<Row<ActivityView>>(
    `select v.event_id as "eventId", ledger.instant(v.at) as at, v.event, v.detail,
       ${actorOf('v.actor_kind', 'v.actor_id', 'p.display_name')} as actor
     from review.exception_events v left join review.people p on p.person_id::text = v.actor_id
     where v.exception_id = any(case when $1::uuid is not null then array[$1::uuid]
       else array(select x.exception_id from review.exceptions x where x.execution_id = $2::uuid) end)
     order by v.at desc, v.event_id desc limit 200`,
    valuesOf(subject),
  );
  return rows.reverse();
}

/** Decisions about the exception or its execution, oldest first. Indexes: decisions_by_exception, decisions_by_execution. */
export async function readDecisions(db: Queryable, subject: StorySubject): Promise<DecisionView[]> {
  const { rows } = await db.query<Row<DecisionView>>(
    `select d.decision_id as "decisionId", d.decision, ledger.instant(d.decided_at) as at, d.rationale,
       d.evidence_id as "evidenceId", d.shown_evidence_id as "shownEvidenceId", d.approval_request_id as "requestId", d.params,
       ${actorOf(`'person'`, 'd.actor_id', 'p.display_name')} as actor
     from review.decisions d join review.people p on p.person_id = d.actor_id
     where d.exception_id = $1::uuid or d.execution_id = $2::uuid order by d.decided_at, d.decision_id limit 100`,
    valuesOf(subject),
  );
  return rows;
}

/** Requests for a second person about the exception or its execution, newest first. */
export async function readRequests(db: Queryable, subject: StorySubject): Promise<RequestSummary[]> {
  const { rows } = await db.query<Row<RequestSummary>>(
    `select r.request_id as "requestId", r.kind, r.relation, r.state, ledger.instant(r.state_since) as "stateSince",
       ledger.instant(r.requested_at) as "requestedAt", ${REQUEST_LIMITS}, r.rationale, r.void_reason as "voidReason",
       ${actorOf(`'person'`, 'r.requested_by', 'p.display_name')} as "requestedBy",
       coalesce((select jsonb_agg(jsonb_build_object('approverId', d.approver_id, 'rationale', d.rationale) order by d.decided_at)
         from review.approval_decisions d where d.request_id = r.request_id), '[]') as verdicts,
       case when n.execution_id is not null then jsonb_build_object('executionId', n.execution_id, 'key', n.idempotency_key) end as "newExecution"
     from review.approval_requests r join review.people p on p.person_id = r.requested_by
     left join ledger.executions n on n.execution_id = r.new_execution_id
     where r.exception_id = $1::uuid or r.execution_id = $2::uuid order by r.requested_at desc, r.request_id desc limit 50`,
    valuesOf(subject),
  );
  return rows;
}

/** People of the exception's tenant who may work on it, by name. */
export async function readAssignable(db: Queryable, tenantId: string): Promise<PersonRef[]> {
  const { rows } = await db.query<Row<PersonRef>>(
    `select person_id as "personId", display_name as "displayName" from review.people
     where disabled_at is null and $1 = any(tenant_ids) and roles && array['OPERATOR', 'APPROVER']
     order by display_name, person_id limit 100`,
    [tenantId],
  );
  return rows;
}

/** The looks at the outside system, newest first. */
export async function readEvidence(
  db: Queryable,
  executionId: string,
  executionVersion: string,
  tenantIds: readonly string[],
): Promise<EvidenceView[]> {
  const lookups = await listLookups(db, executionId, tenantIds);
  return lookups.map((lookup) => toEvidence(lookup, executionVersion));
}

function toEvidence(lookup: LookupShown, executionVersion: string): EvidenceView {
  const checkedBy: ActorRef = {
    kind: lookup.checkedBy.startsWith('system:') ? 'system' : 'person',
    id: lookup.checkedBy,
    name: lookup.checkedByName,
  };
  return {
    lookupId: lookup.lookupId,
    executionVersion: lookup.executionVersion,
    byPerson: lookup.connectorId === null,
    lookedBy: lookup.checkedBy,
    outcome: lookup.outcome,
    verdict: lookup.verdict,
    resultId: lookup.resultId,
    accountMatch: lookup.accountMatch,
    contentMatch: lookup.contentMatch,
    checkedAt: lookup.checkedAt.toISOString(),
    usableFrom: lookup.usableFrom.toISOString(),
    usableUntil: lookup.usableUntil?.toISOString() ?? null,
    connectorId: lookup.connectorId,
    questionUrl: lookup.question?.url ?? null,
    externalStatus: lookup.connectorId === null ? null : lookup.externalStatus,
    resultUrl: lookup.resultUrl,
    targetSystem: lookup.targetSystem,
    targetAccount: lookup.targetAccount,
    comparison: lookup.comparison,
    matches: lookup.matches,
    candidates: lookup.candidates,
    place: lookup.place,
    seen: lookup.seen,
    nextPlace: lookup.nextPlace,
    errorClass: lookup.errorClass,
    nextCheckAt: lookup.nextCheckAt?.toISOString() ?? null,
    ending: lookup.ending,
    checkedBy,
    automatic: lookup.automatic,
    durationMs: lookup.durationMs,
    current: lookup.executionVersion === executionVersion,
  };
}
