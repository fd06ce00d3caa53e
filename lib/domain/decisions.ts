import type { Role } from './actor';
import type { ExceptionKind } from './exception-kinds';

/** Everything that a person can decide about an exception. Source: domain, R-074. */
export const DECISIONS = [
  'LINK_RESULT',
  'CONFIRM_KNOWN_RESULT',
  'CONFIRM_NOT_APPLIED',
  'EXTEND',
  'DECLARE_UNKNOWN',
  'KEEP_ORIGINAL',
  'ALLOW_ATTEMPTS',
  'RECORD_KEY_RULE',
  'ACCEPT_UNPROTECTED',
  'RESUME_OPERATION',
  'SETTLE_EFFECT',
  'FINAL_FAILURE',
  'REQUEST_REISSUE',
] as const;

export type Decision = (typeof DECISIONS)[number];

/** A person decides on a new key, and the worker makes it after a look of its own: two actors, and two moments. */
export const isCarriedOutLater = (decision: string): boolean =>
  decision === 'REISSUE' || decision === 'REISSUE_AS_NEW_WORK';

export interface DecisionRule {
  readonly kind: ExceptionKind;
  readonly decision: Decision;
  /** Any one of them is enough; the operation's authority is needed besides, always. */
  readonly roles: readonly Role[];
}

// An approver can do what an operator can (contract, "Roles").
const OPERATORS: readonly Role[] = ['OPERATOR', 'APPROVER'];
const ABOUT_A_RESULT = [
  'LINK_RESULT',
  'CONFIRM_NOT_APPLIED',
  'FINAL_FAILURE',
  'REQUEST_REISSUE',
] as const satisfies readonly Decision[];
const ABOUT_AN_OWNER = ['EXTEND', 'DECLARE_UNKNOWN'] as const satisfies readonly Decision[];
const ABOUT_A_RETRY = [
  'ALLOW_ATTEMPTS',
  'FINAL_FAILURE',
  'REQUEST_REISSUE',
] as const satisfies readonly Decision[];

const DECISIONS_OF: Readonly<Record<ExceptionKind, readonly Decision[]>> = {
  UNKNOWN_RESULT: ABOUT_A_RESULT,
  STUCK_PROCESSING: [...ABOUT_A_RESULT, ...ABOUT_AN_OWNER],
  LONG_RUNNING: ABOUT_AN_OWNER,
  CONTENT_CONFLICT: ['KEEP_ORIGINAL', 'REQUEST_REISSUE'],
  EXPIRED_KEY: ['CONFIRM_KNOWN_RESULT', ...ABOUT_A_RESULT],
  MISSING_RESULT_ID: ABOUT_A_RESULT,
  RESULT_MISMATCH: ['SETTLE_EFFECT'],
  DUPLICATE_RESULT: ['SETTLE_EFFECT'],
  ORPHAN_EFFECT: ['SETTLE_EFFECT'],
  CONTRADICTED_DECISION: ['SETTLE_EFFECT'],
  RETRY_STALLED: ABOUT_A_RETRY,
  UNCLAIMED: ABOUT_A_RETRY,
  KEY_MISSING: ['RECORD_KEY_RULE', 'ACCEPT_UNPROTECTED'],
  OPERATION_PAUSED: ['RESUME_OPERATION'],
};

const ROLES_OF: Readonly<Partial<Record<Decision, readonly Role[]>>> = {
  RESUME_OPERATION: ['ADMIN', 'APPROVER'],
};

/**
 * The table of R-074 as data. `review.decision_rules` is the same in SQL, where decisions are made; a test holds the
 * two equal.
 */
export const DECISION_RULES: readonly DecisionRule[] = Object.entries(DECISIONS_OF).flatMap(
  ([kind, decisions]) =>
    decisions.map((decision) => ({
      kind: kind as ExceptionKind,
      decision,
      roles: ROLES_OF[decision] ?? OPERATORS,
    })),
);

export function rulesFor(kind: ExceptionKind): readonly DecisionRule[] {
  return DECISION_RULES.filter((rule) => rule.kind === kind);
}

/** whether a button makes new work, recovers the same work, or only writes something down. */
export const NATURE_OF: Readonly<Record<Decision, 'NEW' | 'RECOVER' | 'RECORD'>> = {
  LINK_RESULT: 'RECOVER',
  CONFIRM_KNOWN_RESULT: 'RECORD',
  CONFIRM_NOT_APPLIED: 'RECOVER',
  EXTEND: 'RECOVER',
  DECLARE_UNKNOWN: 'RECORD',
  KEEP_ORIGINAL: 'RECORD',
  ALLOW_ATTEMPTS: 'RECOVER',
  RECORD_KEY_RULE: 'RECORD',
  ACCEPT_UNPROTECTED: 'RECORD',
  RESUME_OPERATION: 'RECOVER',
  SETTLE_EFFECT: 'RECORD',
  FINAL_FAILURE: 'RECORD',
  REQUEST_REISSUE: 'NEW',
};

/** Decisions whose evidence says enough; all others need a reason in words. */
export const NEEDS_NO_RATIONALE: ReadonlySet<Decision> = new Set(['LINK_RESULT', 'CONFIRM_KNOWN_RESULT']);

/** How a new key relates to the original. */
export const RELATIONS = ['RETRY_AS_NEW', 'CORRECTION', 'NEW_WORK'] as const;
export type Relation = (typeof RELATIONS)[number];

/** What may need a second person. */
export const REQUEST_KINDS = ['REISSUE', 'CONFIRM_NOT_APPLIED', 'SETTLE_EFFECT'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

export const REQUEST_STATES = [
  'PENDING',
  'APPROVED',
  'EXECUTED',
  'REJECTED',
  'WITHDRAWN',
  'EXPIRED',
  'VOID',
] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** Who may decide a request; `review.roles_for_request` is the same in SQL. */
export const ROLES_FOR_REQUEST: Readonly<Record<RequestKind, readonly Role[]>> = {
  REISSUE: ['APPROVER'],
  CONFIRM_NOT_APPLIED: OPERATORS,
  SETTLE_EFFECT: OPERATORS,
};
