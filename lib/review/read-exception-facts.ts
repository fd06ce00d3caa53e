import type { Queryable } from '@/lib/db/pool';
import { amountOf } from '@/lib/domain/amount';
import type { ExceptionFacts, ExecutionFacts, OrphanStake, PolicyFacts } from '@/lib/domain/exception-view';

// By primary keys. The tenant list is part of the question: a foreign exception and a missing one are the same answer.
const FACTS = `
  select ledger.instant(ledger.clock()) as now, p.value_field as "valueField", p.value_currency as "valueCurrency",
    review.is_under_review(x.lineage_id) as "underReview", x.lineage_id as "lineageId", x.detail,
    jsonb_build_object('exceptionId', x.exception_id, 'tenantId', x.tenant_id, 'tenantName', t.display_name, 'demo', t.demo,
      'kind', x.kind, 'state', x.state, 'severity', x.severity, 'operation', x.operation, 'principalId', x.principal_id,
      'principalName', pr.display_name, 'reasonCode', x.reason_code, 'openedAt', ledger.instant(x.opened_at),
      'dueAt', ledger.instant(x.due_at),
      'assignee', case when a.person_id is not null then jsonb_build_object('personId', a.person_id, 'displayName', a.display_name) end,
      'deferredUntil', ledger.instant(x.deferred_until), 'nextCheckAt', ledger.instant(x.next_check_at), 'nextPlace', x.next_place,
      'closedAt', ledger.instant(x.closed_at), 'closedBy', case when x.closed_by is not null then jsonb_build_object(
        'kind', case when x.closed_by like 'system:%' then 'system' else 'person' end, 'id', x.closed_by, 'name', cb.display_name) end,
      'closing', x.closing, 'closingCode', x.closing_code, 'version', x.version::text) as exception,
    case when e.execution_id is not null then jsonb_build_object('executionId', e.execution_id, 'key', e.idempotency_key,
      'requestId', e.request_id, 'fingerprint', e.fingerprint, 'policyVersion', e.policy_version, 'contentVersion', e.content_version,
      'targetSystem', e.target_system, 'targetAccount', e.target_account, 'workflowId', e.workflow_id, 'step', e.step,
      'businessRef', e.business_ref, 'approvalRef', e.approval_ref, 'externalRequestKey', e.external_request_key,
      'externalJobId', e.external_job_id, 'progress', e.progress, 'deadline', ledger.instant(e.deadline), 'state', e.state,
      'stateSince', ledger.instant(e.state_since), 'unknownReason', e.unknown_reason, 'attempt', e.attempt,
      'attemptsSpent', e.attempts_spent, 'attemptsAllowed', e.attempts_allowed, 'fencingToken', e.fencing_token::text, 'owner', e.owner,
      'claimedAt', ledger.instant(e.claimed_at), 'leaseExpiresAt', ledger.instant(e.lease_expires_at),
      'extendedUntil', ledger.instant(e.extended_until), 'effectStartedAt', ledger.instant(e.effect_started_at),
      'resultId', e.result_id, 'resultUrl', e.result_url, 'reportedResultId', e.reported_result_id, 'responseStatus', e.response_status)
    || jsonb_build_object('failureCode', e.failure_code, 'failureMessage', e.failure_message, 'failureBasis', e.failure_basis,
      'failureCondition', p.outcome_codes->e.failure_code->>'condition',
      'expiredFrom', e.expired_from, 'hasInput', e.input_ref is not null, 'superseded', e.superseded_by is not null, 'version', e.version::text,
      'createdAt', ledger.instant(e.created_at), 'expiresAt', ledger.instant(e.expires_at),
      'display', coalesce(e.display_fields, kept.display_fields, '{}')) end as execution,
    case when x.kind = 'ORPHAN_EFFECT' and e.execution_id is null then jsonb_build_object('resultId', x.detail->>'resultId',
      'display', coalesce((review.subject_of_terms(e, x.exception_id)).display_fields, '{}')) end as orphan,
    jsonb_build_object('version', p.version, 'own', p.tenant_id <> '*', 'effectClass', p.effect_class,
      'declaredProtection', p.protection_class, 'protectionClass', ledger.protection_of(p), 'authority', p.authority, 'keyless', p.keyless, 'resultIdRequired', p.result_id_required, 'proof', p.proof,
      'evidenceMaxAgeSeconds', p.evidence_max_age_seconds,
      'approval', case when e.execution_id is not null then review.approval_terms('REISSUE', e, null, 'RETRY_AS_NEW')
        when x.kind = 'ORPHAN_EFFECT' then review.approval_terms('SETTLE_EFFECT', review.subject_of_terms(e, x.exception_id), null) end, 'leaseSeconds', p.lease_seconds,
      'conflictTolerance', p.conflict_tolerance, 'conflictWindowSeconds', p.conflict_window_seconds,
      'hasConnector', c.connector_id is not null, 'connectorId', c.connector_id, 'guide', p.guide) as policy,
    exists (select from ledger.operation_pauses o where o.tenant_id = x.tenant_id and o.operation = x.operation) as paused,
    case when ledger.protection_of(p) = 'PROVIDER_KEY' then p.dedupe_window_seconds end as "dedupeWindowSeconds"
  from review.exceptions x
  join review.tenants t on t.tenant_id = x.tenant_id
  cross join lateral ledger.policy_for(x.tenant_id, x.operation) p
  left join review.connectors c on c.connector_id = p.connector_id and c.retired_at is null and (c.tenant_id is null or c.tenant_id = x.tenant_id)
  left join ledger.principals pr on pr.principal_id = x.principal_id
  left join review.people a on a.person_id = x.assignee_id
  left join review.people cb on cb.person_id::text = x.closed_by
  left join ledger.executions e on e.execution_id = x.execution_id
  -- A tombstone has lost its display fields; the arrivals that agreed with it still hold theirs.
  left join lateral (select i.display_fields from ledger.intakes i where i.execution_id = e.execution_id
    and i.fingerprint = e.fingerprint and i.display_fields is not null order by i.received_at limit 1) kept on true
  where x.exception_id = $1 and x.tenant_id = any($2::text[])`;

interface FactsRow {
  now: string;
  valueField: string | null;
  valueCurrency: string | null;
  underReview: boolean;
  lineageId: string | null;
  detail: Record<string, unknown>;
  exception: ExceptionFacts;
  execution: Omit<ExecutionFacts, 'amount'> | null;
  orphan: { resultId: string; display: Record<string, unknown> } | null;
  policy: PolicyFacts;
  /** The operation's automatic execution is stopped at this moment. */
  paused: boolean;
  /** Null as well where the provider's memory of keys does not count as protection. */
  dedupeWindowSeconds: number | null;
}

/** The exception with its execution and the policy in force, as they are at one moment. */
export interface ReadFacts extends Omit<FactsRow, 'execution' | 'orphan' | 'valueField' | 'valueCurrency'> {
  execution: ExecutionFacts | null;
  orphan: OrphanStake | null;
}

/** Null when there is no such exception in these tenants. */
export async function readExceptionFacts(
  db: Queryable,
  exceptionId: string,
  tenantIds: readonly string[],
): Promise<ReadFacts | null> {
  const { rows } = await db.query<FactsRow & Record<string, unknown>>(FACTS, [exceptionId, tenantIds]);
  const row = rows[0];
  if (row === undefined) return null;
  const { execution, orphan, valueField, valueCurrency, ...facts } = row;
  return {
    ...facts,
    orphan: orphan && {
      resultId: orphan.resultId,
      amount: amountOf(orphan.display, valueField, valueCurrency),
    },
    execution:
      execution === null
        ? null
        : { ...execution, amount: amountOf(execution.display, valueField, valueCurrency) },
  };
}
