import 'server-only';
import { amountOf } from '@/lib/domain/amount';
import type { ExceptionKind, ExceptionState } from '@/lib/domain/exception-kinds';
import {
  type ExecutionException,
  type ExecutionRecord,
  type ExecutionView,
} from '@/lib/domain/execution-view';
import { refuseOpeningInput } from '@/lib/domain/permissions';
import { readActivity, readAssignable, readDecisions, readEvidence, readRequests } from './read-activity';
import { readArrivals, readAttempts, readLateReports } from './read-arrivals';
import { type ReadContext } from './read-context';
import { STEP_FIELDS, stepOf, type StepRead } from './step-fields';
import { readLineage } from './read-lineage';
import { readSteps } from './read-related';

// By primary keys. The tenant list is part of the question: a foreign execution and a missing one are the same answer.
const RECORD = `
  select e.execution_id as "executionId", t.display_name as "tenantName", pr.display_name as "principalName", e.operation,
    e.idempotency_key as key, e.request_id as "requestId", e.fingerprint, e.policy_version as "policyVersion",
    e.content_version as "contentVersion", e.target_system as "targetSystem", e.target_account as "targetAccount",
    e.workflow_id as "workflowId", e.step, e.business_ref as "businessRef", e.external_request_key as "externalRequestKey",
    e.external_job_id as "externalJobId", e.progress, e.state,
    ledger.instant(e.state_since) as "stateSince", e.expired_from as "expiredFrom", e.attempts_spent as "attemptsSpent",
    e.attempts_allowed as "attemptsAllowed", e.fencing_token::text as "fencingToken", e.owner,
    ledger.instant(e.lease_expires_at) as "leaseExpiresAt", ledger.instant(e.effect_started_at) as "effectStartedAt",
    e.result_id as "resultId", e.result_url as "resultUrl", e.reported_result_id as "reportedResultId",
    e.failure_code as "failureCode", e.failure_message as "failureMessage", e.failure_basis as "failureBasis",
    e.superseded_by as "supersededBy", e.reissue_of as "reissueOf", review.is_under_review(e.lineage_id) as "underReview",
    ledger.instant(e.created_at) as "createdAt", ledger.instant(e.expires_at) as "expiresAt",
    coalesce(e.display_fields, '{}') as display, p.protection_class as "declaredProtection",
    ledger.protection_of(p) as "protectionClass", p.effect_class as "effectClass",
    e.input_ref is not null as "hasInput", p.value_field as "valueField", p.value_currency as "valueCurrency", p.authority,
    e.tenant_id as "tenantId", e.version::text as version, ledger.instant(ledger.clock()) as now
  from ledger.executions e
  join review.tenants t on t.tenant_id = e.tenant_id
  join ledger.principals pr on pr.principal_id = e.principal_id
  cross join lateral ledger.policy_for(e.tenant_id, e.operation) p
  where e.execution_id = $1::uuid and e.tenant_id = any($2::text[])`;

const EXCEPTIONS = `
  select exception_id as "exceptionId", kind, state, ledger.instant(opened_at) as "openedAt", ledger.instant(closed_at) as "closedAt"
  from review.exceptions where execution_id = $1::uuid order by opened_at desc, exception_id desc limit 50`;

const MOST_SEVERE = `
  select x.kind, x.state, ${STEP_FIELDS} as step
  from review.exceptions x join ledger.executions e on e.execution_id = x.execution_id
  where x.execution_id = $1::uuid and x.state = 'OPEN' order by x.severity, x.due_at, x.exception_id limit 1`;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

interface Read extends Omit<ExecutionRecord, 'amount'>, Record<string, unknown> {
  valueField: string | null;
  valueCurrency: string | null;
  authority: string;
  tenantId: string;
  version: string;
  now: string;
}

interface Open {
  kind: ExceptionKind;
  state: ExceptionState;
  step: StepRead;
}

/** One record with its attempts, arrivals and relations; null when there is none in the actor's tenants. */
export async function getExecution(ctx: ReadContext, executionId: string): Promise<ExecutionView | null> {
  if (!UUID.test(executionId)) return null;
  const { rows } = await ctx.db.query<Read>(RECORD, [executionId, ctx.actor.tenantIds]);
  const [read] = rows;
  if (read === undefined) return null;
  const { valueField, valueCurrency, authority, tenantId, version, now, ...record } = read;
  const about = { executionId };
  const [arrivals, attempts, lateReports, exceptions, open, steps, lineage, ...story] = await Promise.all([
    readArrivals(ctx.db, { of: 'execution', executionId }),
    readAttempts(ctx.db, executionId),
    readLateReports(ctx.db, executionId),
    ctx.db.query<ExecutionException & Record<string, unknown>>(EXCEPTIONS, [executionId]),
    ctx.db.query<Open & Record<string, unknown>>(MOST_SEVERE, [executionId]),
    readSteps(ctx.db, executionId),
    readLineage(ctx, executionId),
    readEvidence(ctx.db, executionId, version, ctx.actor.tenantIds),
    readDecisions(ctx.db, about),
    readRequests(ctx.db, about),
    readActivity(ctx.db, about),
    readAssignable(ctx.db, tenantId),
  ]);
  const [evidence, decisions, requests, activity, assignable] = story;
  return {
    now,
    record: { ...record, amount: amountOf(record.display, valueField, valueCurrency) },
    inputRefusal: refuseOpeningInput(ctx.actor, { tenantId, authority }),
    authority,
    arrivals,
    attempts,
    lateReports,
    exceptions: exceptions.rows,
    nextStep: open.rows[0] === undefined ? null : stepOf(open.rows[0], open.rows[0].step),
    steps,
    lineage,
    evidence,
    decisions,
    requests,
    activity,
    assignable,
  };
}
