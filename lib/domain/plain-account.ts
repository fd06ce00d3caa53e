import { standingOf, type EvidenceStanding } from './evidence-standing';
import { attemptsOf } from './exception-attempts';
import type { ExceptionKind } from './exception-kinds';
import type { AttemptView, ExceptionView } from './exception-view';
import type { NextStep } from './next-step';
import { settledLook } from './settled-look';

/** Reasons that have a sentence of their own. */
export const REASONS = [
  'REPORTED',
  'LEASE_OVER',
  'NO_PROOF',
  'MISSING_RESULT_ID',
  'RESULT_MISMATCH',
  'CONTRADICTED',
  'DECLARED',
  'NOBODY_TOOK_OVER',
  'OVER_LIMIT',
  'NOT_CLAIMED_IN_TIME',
  'NOBODY_CAME_BACK',
  'ATTEMPTS_EXHAUSTED',
  'FIX_FIRST',
  'CONTENT_DIFFERS',
  'LATE_ARRIVAL',
  'RETENTION_OVER',
  'LATE_SUCCESS',
  'RESULT_ID_CLEARED',
  'LOOKUP_FOUND_SEVERAL',
  'REFUSED',
  'PASSED_UNPROTECTED',
  'TOO_MANY_CONFLICTS',
  'IN_PROVIDER_REPORT',
] as const;

/** One thing that the facts carry; `EVIDENCE` has the words of the evidence's own headline. */
export type Known =
  | { readonly key: 'EVIDENCE'; readonly standing: EvidenceStanding; readonly values: EvidenceValues }
  | { readonly key: 'RESULT_ON_RECORD' | 'RESULT_NOT_BELIEVED'; readonly result: string }
  | {
      readonly key: 'ANNOUNCED' | 'LATE_REPORTS' | 'OTHER_CONTENT' | 'WITHOUT_KEY';
      readonly count: number;
    }
  | { readonly key: 'LEASE_RUNS' | 'LEASE_OVER' | 'OPENED' | 'SETTLED'; readonly at: string }
  | {
      readonly key:
        | 'NOT_ANNOUNCED'
        | 'NOBODY_BEGAN'
        | 'WAS_SUCCEEDED'
        | 'WAS_FAILED'
        | 'IN_REPORT'
        | 'STOPPED'
        | 'RUNS_AGAIN';
    };

interface EvidenceValues {
  readonly result: string | null;
  readonly who: string | null;
  readonly count: number;
}

export type Unknown =
  | { readonly key: 'EVIDENCE'; readonly standing: EvidenceStanding }
  | {
      readonly key:
        | 'OWNER_AT_WORK'
        | 'HOW_IT_ENDS'
        | 'WHICH_CONTENT'
        | 'WHERE_IT_DIFFERS'
        | 'WHOSE_RESULT'
        | 'WHICH_COUNTS'
        | 'WHICH_HOLDS'
        | 'WHO_CAUSED_IT'
        | 'WHY_NOBODY_COMES'
        | 'WHETHER_FIXED'
        | 'WHICH_INTENTS'
        | 'WHAT_CAUSES_IT'
        | 'NOTHING_OF_THIS'
        | 'EFFECT_ELSEWHERE';
    };

/** What happened, what is known, what is not, and what one can do: keys of sentences, with what goes into them. */
export interface PlainAccount {
  readonly happened: {
    readonly reason: (typeof REASONS)[number] | 'other';
    readonly about: AttemptView | null;
    readonly owner: string;
    readonly result: string | null;
    /** Attempts spent when it opened. */
    readonly spent: number;
    readonly later: readonly AttemptView[];
  };
  readonly known: readonly Known[];
  readonly unknown: readonly Unknown[];
  readonly canDo: {
    readonly step: NextStep;
    /** This person lacks the role or the authority for every decision of the kind. */
    readonly barred: boolean;
  };
}

export type AccountFacts = Pick<
  ExceptionView,
  | 'now'
  | 'exception'
  | 'execution'
  | 'attempts'
  | 'lateReports'
  | 'arrivals'
  | 'conflicts'
  | 'evidence'
  | 'decisions'
  | 'pause'
  | 'nextStep'
  | 'offers'
>;

/** Says nothing that the facts do not carry: an announced effect is never one that exists. */
export function accountOf(facts: AccountFacts): PlainAccount {
  const { exception, execution, nextStep, offers } = facts;
  const { about, report, later } = attemptsOf(facts);
  return {
    happened: {
      reason: REASONS.find((each) => each === exception.reasonCode) ?? 'other',
      about,
      owner: about?.owner ?? exception.principalId ?? '',
      result: report?.resultId ?? execution?.reportedResultId ?? execution?.resultId ?? null,
      spent: Math.max(0, (execution?.attemptsSpent ?? 0) - later.length),
      later,
    },
    known: knownOf(facts),
    unknown: unknownOf(facts),
    canDo: {
      step: nextStep,
      barred:
        offers.length > 0 &&
        offers.every(({ refusal }) => refusal === 'ROLE_MISSING' || refusal === 'AUTHORITY_MISSING'),
    },
  };
}

function knownOf(facts: AccountFacts): readonly Known[] {
  const { exception, execution, lateReports, conflicts, arrivals, pause } = facts;
  const known: Known[] = [];
  if (exception.closedAt !== null) known.push({ key: 'SETTLED', at: exception.closedAt });
  if (execution !== null) known.push(...ofRecord(facts, execution));
  if (lateReports.length > 0) known.push({ key: 'LATE_REPORTS', count: lateReports.length });
  if (conflicts.length > 0) known.push({ key: 'OTHER_CONTENT', count: conflicts.length });
  if (exception.kind === 'KEY_MISSING') known.push({ key: 'WITHOUT_KEY', count: arrivals.total });
  if (exception.reasonCode === 'IN_PROVIDER_REPORT') known.push({ key: 'IN_REPORT' });
  if (pause !== null) known.push({ key: pause.paused ? 'STOPPED' : 'RUNS_AGAIN' });
  const evidence = evidenceOf(facts);
  if (evidence !== null && (facts.evidence.length > 0 || isAboutEffect(exception.kind))) {
    const { standing, lookup } = evidence;
    const who = lookup?.checkedBy.name ?? lookup?.checkedBy.id ?? null;
    const result = lookup?.resultId ?? execution?.resultId ?? null;
    known.push({ key: 'EVIDENCE', standing, values: { result, who, count: lookup?.matches ?? 2 } });
  }
  return known.length > 0 ? known : [{ key: 'OPENED', at: exception.openedAt }];
}

function ofRecord(
  { now, attempts }: AccountFacts,
  execution: NonNullable<AccountFacts['execution']>,
): readonly Known[] {
  const known: Known[] = [];
  if (execution.expiredFrom !== null)
    known.push({ key: execution.expiredFrom === 'SUCCEEDED' ? 'WAS_SUCCEEDED' : 'WAS_FAILED' });
  if (execution.resultId !== null) known.push({ key: 'RESULT_ON_RECORD', result: execution.resultId });
  if (execution.reportedResultId !== null)
    known.push({ key: 'RESULT_NOT_BELIEVED', result: execution.reportedResultId });
  const announced = attempts.filter(({ effectStartedAt }) => effectStartedAt !== null).length;
  if (attempts.length === 0) known.push({ key: 'NOBODY_BEGAN' });
  else known.push(announced === 0 ? { key: 'NOT_ANNOUNCED' } : { key: 'ANNOUNCED', count: announced });
  const lease = execution.leaseExpiresAt;
  if (execution.state === 'PROCESSING' && lease !== null)
    known.push({ key: lease > now ? 'LEASE_RUNS' : 'LEASE_OVER', at: lease });
  return known;
}

function evidenceOf(facts: AccountFacts) {
  const { execution, evidence, attempts } = facts;
  if (execution === null) return null;
  const started = attempts.some(({ effectStartedAt }) => effectStartedAt !== null);
  return standingOf(evidence, execution, started, settledLook(facts)?.lookupId ?? null);
}

const ABOUT_EFFECT: readonly ExceptionKind[] = [
  'UNKNOWN_RESULT',
  'STUCK_PROCESSING',
  'MISSING_RESULT_ID',
  'EXPIRED_KEY',
];

/** Kinds whose question is whether the effect exists. */
const isAboutEffect = (kind: ExceptionKind) => ABOUT_EFFECT.includes(kind);

function unknownOf(facts: AccountFacts): readonly Unknown[] {
  const { exception, execution, conflicts } = facts;
  if (exception.state === 'CLOSED')
    return [{ key: execution?.state === 'UNKNOWN' ? 'EFFECT_ELSEWHERE' : 'NOTHING_OF_THIS' }];
  const evidence = evidenceOf(facts);
  const effect: readonly Unknown[] = [{ key: 'EVIDENCE', standing: evidence?.standing ?? 'NOT_LOOKED' }];
  switch (exception.kind) {
    case 'UNKNOWN_RESULT':
    case 'MISSING_RESULT_ID':
    case 'EXPIRED_KEY':
      return effect;
    case 'STUCK_PROCESSING':
      return [...effect, { key: 'OWNER_AT_WORK' }];
    case 'LONG_RUNNING':
      return [{ key: 'HOW_IT_ENDS' }];
    case 'CONTENT_CONFLICT':
      return conflicts.some(({ differences }) => differences === null)
        ? [{ key: 'WHICH_CONTENT' }, { key: 'WHERE_IT_DIFFERS' }]
        : [{ key: 'WHICH_CONTENT' }];
    case 'RESULT_MISMATCH':
      return [{ key: 'WHOSE_RESULT' }];
    case 'DUPLICATE_RESULT':
      return [{ key: 'WHICH_COUNTS' }];
    case 'CONTRADICTED_DECISION':
      return [{ key: 'WHICH_HOLDS' }];
    case 'ORPHAN_EFFECT':
      return [{ key: 'WHO_CAUSED_IT' }];
    case 'RETRY_STALLED':
      return [{ key: exception.reasonCode === 'FIX_FIRST' ? 'WHETHER_FIXED' : 'WHY_NOBODY_COMES' }];
    case 'UNCLAIMED':
      return [{ key: 'WHY_NOBODY_COMES' }];
    case 'KEY_MISSING':
      return [{ key: 'WHICH_INTENTS' }];
    case 'OPERATION_PAUSED':
      return [{ key: 'WHAT_CAUSES_IT' }];
    default: {
      const impossible: never = exception.kind;
      throw new Error(`bug: unknown exception kind ${String(impossible)}`);
    }
  }
}
