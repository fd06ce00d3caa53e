import 'server-only';
import { transaction, type Transaction } from '@/lib/db/transaction';
import type { Actor } from '@/lib/domain/actor';
import { amountOf } from '@/lib/domain/amount';
import { judgeEvidence, twoSources } from '@/lib/domain/decision-evidence';
import { ROLES_FOR_REQUEST } from '@/lib/domain/decisions';
import type { EvidenceView } from '@/lib/domain/exception-view';
import { hasAuthority } from '@/lib/domain/permissions';
import type { RefusalCode } from '@/lib/domain/refusals';
import { readExposure, type ExposureFigures } from '@/lib/domain/reissue-exposure';
import type { RequestView, VerdictView } from '@/lib/domain/request-view';
import { readBreakGlass } from './break-glass/read-uses';
import type { DeskReader } from './desk-context';
import { readEvidence } from './read-activity';
import { readAskedConflict } from './read-arrivals';
import { readSteps } from './read-steps';
import { REQUEST_LIMITS } from './request-limits';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

// By primary keys; the tenant list is part of the question.
const REQUEST = `
  select ledger.instant(ledger.clock()) as now, r.request_id as "requestId", t.display_name as "tenantName", t.demo, r.kind, r.relation,
    r.state, ledger.instant(r.state_since) as "stateSince", r.operation, r.rationale, r.params, r.digest,
    r.policy_version as "policyVersion", review.terms_of(r) as terms, r.fingerprint, coalesce(r.target_system, w.target_system) as "targetSystem",
    coalesce(r.target_account, w.target_account) as "targetAccount", r.execution_version::text as "executionVersion", r.evidence_id as "evidenceId", r.intake_id as "intakeId",
    ledger.instant(r.requested_at) as "requestedAt", ${REQUEST_LIMITS},
    r.void_reason as "voidReason", r.tenant_id as "tenantId",
    jsonb_build_object('kind', 'person', 'id', r.requested_by, 'name', p.display_name) as "requestedBy",
    case when n.execution_id is not null then jsonb_build_object('executionId', n.execution_id, 'key', n.idempotency_key) end as "newExecution",
    case when n.execution_id is not null then jsonb_build_object('state', n.state, 'resultId', n.result_id) end as made,
    case when r.kind = 'REISSUE' then review.reissue_exposure(e, r.intake_id) end as figures,
    jsonb_build_object('exceptionId', x.exception_id, 'kind', x.kind, 'state', x.state) as exception,
    case when e.execution_id is not null then jsonb_build_object('executionId', e.execution_id, 'principalId', e.principal_id, 'principalName', pr.display_name, 'key', e.idempotency_key, 'requestId', e.request_id, 'businessRef', e.business_ref,
      'contentVersion', e.content_version, 'state', e.state, 'version', e.version::text, 'resultId', e.result_id,
      'display', coalesce(e.display_fields, kept.display_fields, '{}')) end as execution,
    w.display_fields as "orphanDisplay",
    jsonb_build_object('version', o.version, 'own', o.tenant_id <> '*', 'effectClass', o.effect_class, 'declaredProtection', o.protection_class,
      'protectionClass', ledger.protection_of(o),
      'authority', o.authority, 'keyless', o.keyless, 'resultIdRequired', o.result_id_required,
      'evidenceMaxAgeSeconds', o.evidence_max_age_seconds, 'approval', review.terms_now(r),
      'leaseSeconds', o.lease_seconds,
      'conflictTolerance', o.conflict_tolerance, 'conflictWindowSeconds', o.conflict_window_seconds,
      'hasConnector', c.connector_id is not null, 'connectorId', c.connector_id, 'guide', o.guide) as policy,
    o.value_field as "valueField", o.value_currency as "valueCurrency", review.rights_are_older($3::uuid, r.request_id) as "rightsAreOlder"
  from review.approval_requests r
  join review.tenants t on t.tenant_id = r.tenant_id
  join review.people p on p.person_id = r.requested_by
  join review.exceptions x on x.exception_id = r.exception_id
  left join ledger.executions e on e.execution_id = r.execution_id
  left join lateral review.subject_of_terms(e, r.exception_id) w on r.execution_id is null
  left join ledger.principals pr on pr.principal_id = e.principal_id
  cross join lateral ledger.policy_for(r.tenant_id, r.operation) o
  left join review.connectors c on c.connector_id = o.connector_id and c.retired_at is null and (c.tenant_id is null or c.tenant_id = r.tenant_id)
  left join ledger.executions n on n.execution_id = r.new_execution_id
  left join lateral (select i.display_fields from ledger.intakes i where i.execution_id = e.execution_id
    and i.fingerprint = e.fingerprint and i.display_fields is not null order by i.received_at limit 1) kept on true
  where r.request_id = $1 and r.tenant_id = any($2::text[])`;

const VERDICTS = `
  select d.verdict, d.rationale, d.roles, ledger.instant(d.decided_at) as "decidedAt",
    jsonb_build_object('kind', 'person', 'id', d.approver_id, 'name', p.display_name) as approver
  from review.approval_decisions d join review.people p on p.person_id = d.approver_id
  where d.request_id = $1 order by d.decided_at`;

type Computed =
  | 'exposure'
  | 'orphanAmount'
  | 'evidence'
  | 'newest'
  | 'contrary'
  | 'conflict'
  | 'verdicts'
  | 'basisChanged'
  | 'decideRefusal'
  | 'approveRefusal'
  | 'steps'
  | 'breakGlass'
  | 'minRationale'
  | 'withdrawRefusal'
  | 'lookAgain';

interface Read extends Omit<RequestView, Computed | 'execution'> {
  execution: Omit<NonNullable<RequestView['execution']>, 'amount'> | null;
  evidenceId: string | null;
  intakeId: string | null;
  tenantId: string;
  orphanDisplay: Record<string, unknown> | null;
  valueField: string | null;
  valueCurrency: string | null;
  figures: ExposureFigures | null;
  rightsAreOlder: boolean;
}

/** A request with everything that it stands on, and what this person can do about it. Null outside their tenants. */
export async function getRequest(ctx: DeskReader, requestId: string): Promise<RequestView | null> {
  if (!UUID.test(requestId)) return null;
  return transaction(ctx.pool, null, (tx) => read(tx, ctx.actor, requestId), {
    isolation: 'REPEATABLE READ',
  });
}

async function read(tx: Transaction, actor: Actor, requestId: string): Promise<RequestView | null> {
  const { rows } = await tx.query<Read & Record<string, unknown>>(REQUEST, [
    requestId,
    actor.tenantIds,
    actor.personId,
  ]);
  const row = rows[0];
  if (row === undefined) return null;
  const {
    evidenceId,
    intakeId,
    orphanDisplay,
    valueField,
    valueCurrency,
    figures,
    tenantId: _tenant,
    rightsAreOlder: _older,
    ...request
  } = row;
  const { execution } = request;
  const lookups =
    execution === null
      ? []
      : await readEvidence(tx, execution.executionId, execution.version, actor.tenantIds);
  const { rows: verdicts } = await tx.query<VerdictView & Record<string, unknown>>(VERDICTS, [requestId]);
  const contrary = contraryOf(row, lookups);
  const inFlight = row.state === 'PENDING' || row.state === 'APPROVED';
  const passing = inFlight ? await readSteps(tx, actor, requestId, row.policy.approval) : null;
  const refusal = decideRefusal(actor, row, verdicts);
  const newest = lookups.find((each) => each.current && each !== contrary) ?? null;
  return {
    ...request,
    execution: execution && {
      ...execution,
      amount: amountOf(execution.display, valueField, valueCurrency),
    },
    orphanAmount: amountOf(orphanDisplay, valueField, valueCurrency),
    exposure: figures && readExposure(figures),
    evidence: lookups.find((each) => each.lookupId === evidenceId) ?? null,
    contrary,
    newest: newest?.lookupId === evidenceId ? null : newest,
    conflict: intakeId === null ? null : await readAskedConflict(tx, requestId, actor.tenantIds),
    verdicts,
    basisChanged:
      execution?.version !== (request.executionVersion ?? undefined) || isContrarySince(row, contrary),
    steps: passing?.steps ?? [],
    breakGlass: await readBreakGlass(tx, actor, row),
    minRationale: Math.max(row.terms.minRationale, row.policy.approval?.minRationale ?? 0),
    decideRefusal: refusal,
    approveRefusal: refusal ?? passing?.refusal ?? null,
    withdrawRefusal: withdrawRefusal(actor, row),
    lookAgain: needsFreshLook(row, lookups),
  };
}

/** What a person has seen against the evidence: while it waits as it is now, afterwards as the request named it. */
function contraryOf(row: Read, lookups: readonly EvidenceView[]): EvidenceView | null {
  if (row.kind !== 'CONFIRM_NOT_APPLIED' && row.relation !== 'RETRY_AS_NEW') return null;
  const named = lookups.find((each) => each.lookupId === row.params['contraryLookId']) ?? null;
  if (row.state !== 'PENDING') return named;
  if (row.execution === null) return null;
  const { person } = twoSources(lookups, row.execution.version);
  return person?.verdict === 'APPLIED' ? person : null;
}

/** Recorded after the request: a verdict finds it void (review.request_basis_lost). */
function isContrarySince(row: Read, contrary: EvidenceView | null): boolean {
  return row.state === 'PENDING' && contrary !== null && contrary.lookupId !== row.params['contraryLookId'];
}

/** Mirrors review.decide_request, which judges again. */
function decideRefusal(actor: Actor, row: Read, verdicts: readonly VerdictView[]): RefusalCode | null {
  if (row.requestedBy.id === actor.personId) return 'SELF_APPROVAL';
  if (!actor.roles.some((role) => ROLES_FOR_REQUEST[row.kind].includes(role))) return 'ROLE_MISSING';
  if (!hasAuthority(actor, row.policy.authority)) return 'AUTHORITY_MISSING';
  if (row.state !== 'PENDING') return 'REQUEST_ENDED';
  if (!row.rightsAreOlder) return 'RIGHT_TOO_NEW';
  if (Date.parse(row.decideBy) <= Date.parse(row.now)) return 'REQUEST_EXPIRED';
  return verdicts.some((each) => each.approver.id === actor.personId) ? 'DECIDED_BY_YOU_ALREADY' : null;
}

function withdrawRefusal(actor: Actor, row: Read): RefusalCode | null {
  if (row.requestedBy.id !== actor.personId) return 'NOT_YOUR_REQUEST';
  return row.state === 'PENDING' || row.state === 'APPROVED' ? null : 'REQUEST_ENDED';
}

/** The second person confirms on evidence that is fresh for them, too. */
function needsFreshLook(row: Read, lookups: readonly EvidenceView[]): boolean {
  if (row.kind !== 'CONFIRM_NOT_APPLIED' || row.state !== 'PENDING' || !row.policy.hasConnector) return false;
  if (row.execution === null) return false;
  const { refusal } = judgeEvidence(
    lookups,
    row.execution.version,
    'NOT_APPLIED',
    new Date(row.now),
    row.policy.evidenceMaxAgeSeconds,
  );
  return refusal === 'EVIDENCE_STALE' || refusal === 'HORIZON_NOT_OVER';
}
