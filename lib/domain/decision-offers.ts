import type { Rights } from './actor';
import { NATURE_OF, RELATIONS, rulesFor, type Decision, type Relation } from './decisions';
import { decisionOfStep, nextStep, type StepSubject } from './next-step';
import {
  contraryLook,
  evidenceStanding,
  FREE,
  linkStanding,
  refused,
  shownNoEffect,
  type Standing,
} from './offer-standing';
import { hasAuthority } from './permissions';
import type { RefusalCode } from './refusals';
import type { ExecutionState } from './states';

/** What is looked at to tell what a person can do about an exception. Instants RFC 3339. */
export interface OfferSubject extends Omit<StepSubject, 'deferred'> {
  readonly rights: Rights;
  readonly policy: StepSubject['policy'] & { readonly authority: string; readonly effectClass: string };
  readonly execution:
    | (NonNullable<StepSubject['execution']> & {
        readonly expiredFrom: 'SUCCEEDED' | 'FAILED_FINAL' | null;
        readonly leaseExpiresAt: string | null;
        readonly effectStarted: boolean;
      })
    | null;
  /** Two effects are in doubt somewhere in the lineage: they are settled before anything new is made. */
  readonly lineageBlocked: boolean;
  readonly hasConflictingIntake: boolean;
}

export interface RelationOffer extends Standing {
  readonly relation: Relation;
}

export interface DecisionOffer extends Standing {
  readonly decision: Decision;
  readonly nature: (typeof NATURE_OF)[Decision];
  /** It only asks; another person makes it happen. */
  readonly secondPerson: boolean;
  readonly recommended: boolean;
  /** For REQUEST_REISSUE alone. */
  readonly relations: readonly RelationOffer[];
}

/**
 * Every decision of the exception's kind, the one that leads on first, each with whether this person can take it now and
 * if not, why. Advice for pages: the database judges again, on what it holds then.
 */
export function decisionsFor(subject: OfferSubject): readonly DecisionOffer[] {
  if (subject.state === 'CLOSED') return [];
  const best = decisionOfStep(nextStep({ ...subject, deferred: false }), subject.kind);
  const offers = rulesFor(subject.kind).map((rule): DecisionOffer => {
    const relations = rule.decision === 'REQUEST_REISSUE' ? relationsOf(subject) : [];
    const barred = barOf(rule.roles, subject.rights, subject.policy.authority);
    const standing =
      barred !== null
        ? refused(barred)
        : rule.decision === 'REQUEST_REISSUE'
          ? reissueStanding(subject, relations)
          : standingOf(rule.decision, subject);
    return {
      ...standing,
      decision: rule.decision,
      nature: NATURE_OF[rule.decision],
      secondPerson: needsSecondPerson(rule.decision, subject),
      // A lock is no way on; a missing right is, for somebody who has it.
      recommended: rule.decision === best && (barred !== null || standing.refusal === null),
      relations,
    };
  });
  return offers.sort((a, b) => rank(a) - rank(b));
}

/** What locks several choices at once, said once above them all. */
export interface SharedLock {
  readonly refusal: RefusalCode;
  /** When waiting alone opens the first of them. */
  readonly opensAt: string | null;
}

/** The reason that stands in the way of most choices; null where no two share one. */
export function sharedLock(offers: readonly DecisionOffer[]): SharedLock | null {
  const locked = offers.flatMap(({ refusal }) => (refusal === null ? [] : [refusal]));
  const count = (refusal: RefusalCode) => locked.filter((each) => each === refusal).length;
  const [refusal] = [...new Set(locked)].sort((a, b) => count(b) - count(a));
  if (refusal === undefined || count(refusal) < 2) return null;
  const opens = offers.flatMap((offer) =>
    offer.refusal === refusal && offer.opensAt !== null ? [offer.opensAt] : [],
  );
  return { refusal, opensAt: opens.sort()[0] ?? null };
}

function needsSecondPerson(decision: Decision, subject: OfferSubject): boolean {
  if (decision === 'CONFIRM_NOT_APPLIED')
    return subject.policy.effectClass === 'IRREVERSIBLE' || contraryLook(subject) !== null;
  return decision === 'REQUEST_REISSUE' || decision === 'SETTLE_EFFECT';
}

function rank(offer: DecisionOffer): number {
  if (offer.recommended) return 0;
  // What cannot be taken back comes after what can.
  if (offer.refusal === null) return ['FINAL_FAILURE', 'REQUEST_REISSUE'].includes(offer.decision) ? 2 : 1;
  return offer.opensAt === null ? 4 : 3;
}

/** What of the person stands in the way: the role, then the operation's authority. */
export function barOf(roles: readonly string[], rights: Rights, authority: string): RefusalCode | null {
  if (!rights.roles.some((role) => roles.includes(role))) return 'ROLE_MISSING';
  return hasAuthority(rights, authority) ? null : 'AUTHORITY_MISSING';
}

function standingOf(decision: Exclude<Decision, 'REQUEST_REISSUE'>, subject: OfferSubject): Standing {
  const { execution } = subject;
  switch (decision) {
    case 'LINK_RESULT':
      return isOneOf(execution, 'PROCESSING', 'UNKNOWN', 'EXPIRED') ? linkStanding(subject) : unsuitable;
    case 'CONFIRM_KNOWN_RESULT':
      return execution !== null &&
        execution.resultId !== null &&
        ['EXPIRED', 'SUCCEEDED'].includes(execution.state)
        ? FREE
        : unsuitable;
    case 'CONFIRM_NOT_APPLIED':
      if (!isOneOf(execution, 'PROCESSING', 'UNKNOWN', 'EXPIRED')) return unsuitable;
      if (subject.requestInFlight && needsSecondPerson(decision, subject)) return inFlight;
      return evidenceStanding(subject, 'NOT_APPLIED');
    case 'FINAL_FAILURE':
      if (!isOneOf(execution, 'RECEIVED', 'PROCESSING', 'UNKNOWN', 'FAILED_RETRYABLE', 'EXPIRED'))
        return unsuitable;
      if (!mayExist(execution)) return FREE;
      // Later callers would believe it, and a person has seen the effect.
      return contraryLook(subject) === null ? shownNoEffect(subject) : refused('EVIDENCE_CONTRADICTED');
    case 'EXTEND':
    case 'DECLARE_UNKNOWN':
      return execution?.state === 'PROCESSING' ? FREE : unsuitable;
    case 'ALLOW_ATTEMPTS':
      return isOneOf(execution, 'RECEIVED', 'FAILED_RETRYABLE') ? FREE : unsuitable;
    case 'SETTLE_EFFECT':
      return subject.requestInFlight ? inFlight : FREE;
    case 'KEEP_ORIGINAL':
    case 'RECORD_KEY_RULE':
    case 'ACCEPT_UNPROTECTED':
    case 'RESUME_OPERATION':
      return FREE;
    default: {
      const impossible: never = decision;
      throw new Error(`bug: unknown decision ${String(impossible)}`);
    }
  }
}

const unsuitable = refused('STATE_NOT_SUITABLE');
const inFlight = refused('REQUEST_IN_FLIGHT');

/** In one of these states and not superseded. */
export function isOneOf(
  execution: { readonly superseded: boolean; readonly state: ExecutionState } | null,
  ...states: readonly ExecutionState[]
): boolean {
  return execution !== null && !execution.superseded && states.includes(execution.state);
}

/** The effect may exist: what is said about it later has to be shown. */
function mayExist(execution: OfferSubject['execution']): boolean {
  return execution?.state === 'UNKNOWN' || (execution?.state === 'PROCESSING' && execution.effectStarted);
}

function relationsOf(subject: OfferSubject): readonly RelationOffer[] {
  return RELATIONS.map((relation) => ({ relation, ...relationStanding(relation, subject) }));
}

function relationStanding(relation: Relation, subject: OfferSubject): Standing {
  const { execution, kind } = subject;
  if (execution === null || execution.superseded) return unsuitable;
  if (relation === 'RETRY_AS_NEW') {
    if (kind === 'CONTENT_CONFLICT') return refused('RELATION_NOT_FOR_KIND');
    if (execution.state === 'SUCCEEDED' || execution.expiredFrom === 'SUCCEEDED') return unsuitable;
  }
  if (relation === 'CORRECTION' && !subject.hasConflictingIntake) return refused('INTAKE_MISSING');
  if (relation !== 'NEW_WORK' && isLeaseLive(execution, subject.now)) return unsuitable;
  const certain =
    ['RECEIVED', 'FAILED_RETRYABLE'].includes(execution.state) || execution.expiredFrom === 'FAILED_FINAL';
  if (relation === 'RETRY_AS_NEW') return certain ? FREE : evidenceStanding(subject, 'NOT_APPLIED');
  if (execution.state !== 'UNKNOWN') return FREE;
  // Beside an effect in doubt new work may be the second one: what became of the original is shown, either way.
  const applied = evidenceStanding(subject, 'APPLIED');
  if (applied.refusal !== null) return shownNoEffect(subject);
  return applied.lookAgain ? applied : FREE;
}

function isLeaseLive(execution: NonNullable<OfferSubject['execution']>, now: Date): boolean {
  return (
    execution.state === 'PROCESSING' &&
    execution.leaseExpiresAt !== null &&
    Date.parse(execution.leaseExpiresAt) > now.getTime()
  );
}

function reissueStanding(subject: OfferSubject, relations: readonly RelationOffer[]): Standing {
  if (subject.execution === null || subject.execution.superseded) return unsuitable;
  if (subject.lineageBlocked) return refused('LINEAGE_UNDER_REVIEW');
  if (subject.requestInFlight) return inFlight;
  const open = relations.find((each) => each.refusal === null);
  if (open !== undefined) return { ...FREE, evidenceId: open.evidenceId };
  return relations.find((each) => each.opensAt !== null) ?? relations[0] ?? unsuitable;
}
