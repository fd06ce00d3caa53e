import 'server-only';
import { transaction, type Transaction } from '@/lib/db/transaction';
import type { Actor } from '@/lib/domain/actor';
import { answerAfter, answerNow, callerAnswer, type ImpactSubject } from '@/lib/domain/caller-impact';
import { decisionsFor, type DecisionOffer, type OfferSubject } from '@/lib/domain/decision-offers';
import type { CallerImpact, CallerView } from '@/lib/domain/caller-view';
import type { ExceptionView, ExecutionFacts } from '@/lib/domain/exception-view';
import { dedupeWindow } from '@/lib/domain/exposure';
import { exposureThen } from '@/lib/domain/exposure-then';
import { namedResults } from '@/lib/domain/named-results';
import { nextStep } from '@/lib/domain/next-step';
import { refuseOpeningInput, refusePermission } from '@/lib/domain/permissions';
import { staysUnderReview } from '@/lib/domain/settled-kinds';
import type { DeskReader } from './desk-context';
import { readActivity, readAssignable, readDecisions, readEvidence, readRequests } from './read-activity';
import {
  readArrivals,
  readAttempts,
  readCallers,
  readConflicts,
  readLateReports,
  type ArrivalScope,
} from './read-arrivals';
import { pauseScope, pauseView, readPauseCallers } from './read-pause';
import { readExceptionFacts, type ReadFacts } from './read-exception-facts';
import { readLineage } from './read-lineage';
import { readReissueChoices, readRequestedReissue } from './read-reissues';
import { readOtherExceptions, readSteps } from './read-related';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Everything that the exception page shows, read at one moment: facts, evidence, history, and what this person
 * can do about it with what would follow. Null when there is no such exception in the person's tenants.
 */
export async function getException(ctx: DeskReader, exceptionId: string): Promise<ExceptionView | null> {
  if (!UUID.test(exceptionId)) return null;
  // Several statements, one snapshot: versions, evidence and offers on the page belong together.
  return transaction(ctx.pool, null, (tx) => read(tx, ctx.actor, exceptionId), {
    isolation: 'REPEATABLE READ',
  });
}

async function read(tx: Transaction, actor: Actor, exceptionId: string): Promise<ExceptionView | null> {
  const facts = await readExceptionFacts(tx, exceptionId, actor.tenantIds);
  if (facts === null) return null;
  const { exception, execution, orphan, policy } = facts;
  const executionId = execution?.executionId ?? null;
  const scope = scopeOf(facts);
  const history = {
    arrivals: scope === null ? { total: 0, shown: [] } : await readArrivals(tx, scope),
    conflicts: executionId === null ? [] : await readConflicts(tx, executionId),
    attempts: executionId === null ? [] : await readAttempts(tx, executionId),
    lateReports: executionId === null ? [] : await readLateReports(tx, executionId),
    evidence:
      execution === null
        ? []
        : await readEvidence(tx, execution.executionId, execution.version, actor.tenantIds),
    steps: execution?.workflowId == null ? [] : await readSteps(tx, execution.executionId),
    lineage: executionId === null ? null : await readLineage({ actor, db: tx }, executionId),
    others: facts.lineageId === null ? [] : await readOtherExceptions(tx, exceptionId, facts.lineageId),
    activity: await readActivity(tx, { exceptionId, executionId }),
    decisions: await readDecisions(tx, { exceptionId, executionId }),
    requests: await readRequests(tx, { exceptionId, executionId }),
    assignable: await readAssignable(tx, exception.tenantId),
  };
  const resultsElsewhere =
    executionId === null
      ? []
      : await readResultsElsewhere(tx, executionId, { execution, orphan, ...history });
  const callers =
    scope === null
      ? []
      : scope.of === 'pause'
        ? await readPauseCallers(tx, scope, facts.paused)
        : await readCallers(tx, scope);
  const subject = subjectOf(actor, facts, history);
  const offers = decisionsFor(subject);
  const effects = history.attempts.filter((attempt) => attempt.effectStartedAt !== null);
  return {
    now: facts.now,
    exception,
    execution,
    orphan,
    policy,
    ...history,
    resultsElsewhere,
    offers,
    nextStep: nextStep({ ...subject, deferred: isDeferred(facts) }),
    pause: pauseView(facts),
    impact: impactOf(facts, callers, history, offers),
    ...exposureThen({ execution, orphan, ...history }, exception.closedAt),
    reissues: await readChoices(tx, executionId, history.conflicts, offers),
    requestedReissue: await readRequestedReissue(tx, exceptionId),
    dedupe: dedupeWindow(effects[0]?.effectStartedAt ?? null, facts.dedupeWindowSeconds, new Date(facts.now)),
    ...refusals(actor, facts),
  };
}

async function readChoices(
  tx: Transaction,
  executionId: string | null,
  conflicts: ExceptionView['conflicts'],
  offers: readonly DecisionOffer[],
): Promise<ExceptionView['reissues']> {
  if (executionId === null || !offers.some(({ decision }) => decision === 'REQUEST_REISSUE')) return [];
  const intakeIds = conflicts.map(({ intake }) => intake.intakeId);
  return readReissueChoices(tx, executionId, intakeIds);
}

async function readResultsElsewhere(
  tx: Transaction,
  executionId: string,
  about: Parameters<typeof namedResults>[0],
): Promise<readonly string[]> {
  const ids = namedResults(about).map(({ id }) => id);
  const { rows } = await tx.query<{ ids: string[] }>(
    'select review.results_linked_elsewhere($1::uuid, $2::text[]) as ids',
    [executionId, ids],
  );
  return rows[0]?.ids ?? [];
}

function scopeOf(facts: ReadFacts): ArrivalScope | null {
  const { exception, execution } = facts;
  const { tenantId, operation, principalId } = exception;
  if (execution !== null) return { of: 'execution', executionId: execution.executionId };
  if (exception.kind === 'OPERATION_PAUSED') return pauseScope(facts);
  return principalId === null ? null : { of: 'keyless', tenantId, principalId, operation };
}

type History = Pick<ExceptionView, 'evidence' | 'requests' | 'others' | 'conflicts'>;

const EFFECT_DOUBTS: readonly string[] = ['RESULT_MISMATCH', 'DUPLICATE_RESULT', 'CONTRADICTED_DECISION'];

function subjectOf(actor: Actor, facts: ReadFacts, history: History): OfferSubject {
  const { exception, execution, policy } = facts;
  return {
    kind: exception.kind,
    state: exception.state,
    rights: actor,
    policy,
    execution: execution && {
      ...execution,
      effectStarted: execution.effectStartedAt !== null,
      attemptsLeft: execution.attemptsSpent < execution.attemptsAllowed,
    },
    lookups: history.evidence,
    requestInFlight: history.requests.some((request) => ['PENDING', 'APPROVED'].includes(request.state)),
    lineageBlocked: history.others.some((other) => EFFECT_DOUBTS.includes(other.kind)),
    hasConflictingIntake: history.conflicts.length > 0,
    now: new Date(facts.now),
  };
}

function isDeferred({ exception, now }: ReadFacts): boolean {
  return exception.deferredUntil !== null && exception.deferredUntil > now;
}

function impactOf(
  facts: ReadFacts,
  callers: readonly CallerView[],
  { evidence, others }: History,
  offers: readonly DecisionOffer[],
): CallerImpact {
  const { execution, exception } = facts;
  if (execution === null) return { callers, ...withoutExecution(facts) };
  const subject = impactSubject(facts, execution);
  const found = evidence.find((each) => each.current && each.verdict === 'APPLIED')?.resultId ?? null;
  const after = offers.map(({ decision }) => [
    decision,
    answerAfter(decision, subject, {
      resultId: found ?? execution.reportedResultId,
      stillUnderReview: staysUnderReview(decision, exception.kind, execution.executionId, others),
    }),
  ]);
  return { callers, now: answerNow(subject), after: Object.fromEntries(after) as CallerImpact['after'] };
}

function withoutExecution({ exception, policy, paused }: ReadFacts): Pick<CallerImpact, 'now' | 'after'> {
  if (exception.kind === 'OPERATION_PAUSED')
    return {
      now: callerAnswer(paused ? 'OPERATION_PAUSED' : 'CLAIMED'),
      after: { RESUME_OPERATION: callerAnswer('CLAIMED') },
    };
  if (exception.kind !== 'KEY_MISSING') return { now: null, after: {} };
  // Neither decision changes the policy: it says what holds, and the producer is set right elsewhere.
  const now = callerAnswer(policy.keyless === 'PASS' ? 'PASSED_UNPROTECTED' : 'IDEMPOTENCY_KEY_MISSING');
  return { now, after: { RECORD_KEY_RULE: now, ACCEPT_UNPROTECTED: now } };
}

function impactSubject(facts: ReadFacts, execution: ExecutionFacts): ImpactSubject {
  const lease = execution.leaseExpiresAt;
  return {
    state: execution.state,
    superseded: execution.superseded,
    retentionOver: Date.parse(execution.expiresAt) <= Date.parse(facts.now),
    underReview: facts.underReview,
    leaseLive: lease !== null && Date.parse(lease) > Date.parse(facts.now),
    effectStarted: execution.effectStartedAt !== null,
    attemptsLeft: execution.attemptsSpent < execution.attemptsAllowed,
    paused: facts.paused,
    responseStatus: execution.responseStatus,
    resultId: execution.resultId,
  };
}

function refusals(
  actor: Actor,
  { exception, execution, policy }: ReadFacts,
): Pick<ExceptionView, 'deskRefusal' | 'lookupRefusal' | 'evidenceRefusal' | 'inputRefusal'> {
  const subject = { tenantId: exception.tenantId, authority: policy.authority };
  const permission = refusePermission(actor, 'lookup.request', subject);
  const barred = permission === 'ROLE_MISSING' || permission === 'AUTHORITY_MISSING' ? permission : null;
  const evidenceRefusal =
    barred ??
    (execution === null ? 'NO_EXECUTION' : exception.state === 'CLOSED' ? 'EXCEPTION_CLOSED' : null);
  return {
    deskRefusal: barred === 'ROLE_MISSING' ? 'ROLE_MISSING' : null,
    evidenceRefusal,
    inputRefusal: refuseOpeningInput(actor, subject),
    lookupRefusal: evidenceRefusal ?? (policy.hasConnector ? null : 'NO_CONNECTOR'),
  };
}
