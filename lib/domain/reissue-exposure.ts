import type { Amount } from './amount';
import type { Relation, RequestState } from './decisions';
import type { ExecutionState } from './states';

/** What the ledger knows of the original's effect. */
export type OriginalEffect = 'EXISTS' | 'MAY_EXIST' | 'NONE_KNOWN';

/** What `review.reissue_exposure` tells; amounts as decimal text. */
export interface ExposureFigures {
  readonly originalState: ExecutionState;
  readonly originalEffect: OriginalEffect;
  readonly originalEffects: number;
  readonly originalResultId: string | null;
  readonly originalAmount: string | null;
  readonly originalCurrency: string | null;
  readonly newAmount: string | null;
  readonly newCurrency: string | null;
  /** Null as well for two currencies: they are never added up. */
  readonly bothAmount: string | null;
  readonly bothCurrency: string | null;
  readonly bothEffects: number;
}

/** What a new key could leave standing beside its original. */
export interface ReissueExposure {
  readonly state: ExecutionState;
  readonly effect: OriginalEffect;
  /** How many effects the original may have; more than one only where that is in doubt. */
  readonly effects: number;
  readonly resultId: string | null;
  readonly original: Amount | null;
  readonly added: Amount | null;
  readonly both: Amount | null;
  readonly bothEffects: number;
}

/** One way of asking for a new key, with what it would leave standing and how many people have to agree to it. */
export interface ReissueChoice {
  readonly relation: Relation;
  /** The arrival whose content the new key takes; null: the same content. */
  readonly intakeId: string | null;
  readonly exposure: ReissueExposure;
  /** Null: nothing is approved, the policy was removed. */
  readonly approvals: number | null;
}

/** A request for a new key that is under way or was carried out. */
export interface RequestedReissue {
  readonly requestId: string;
  readonly relation: Relation;
  readonly state: RequestState;
  readonly sameContent: boolean;
  readonly exposure: ReissueExposure;
}

/** What new keys for an execution would leave standing, or have. */
export interface ReissueStakes {
  /** Of each way of asking for one; empty where none can be asked for. */
  readonly reissues: readonly ReissueChoice[];
  readonly requestedReissue: RequestedReissue | null;
}

export function readExposure(figures: ExposureFigures): ReissueExposure {
  return {
    state: figures.originalState,
    effect: figures.originalEffect,
    effects: figures.originalEffects,
    resultId: figures.originalResultId,
    original: amount(figures.originalAmount, figures.originalCurrency),
    added: amount(figures.newAmount, figures.newCurrency),
    both: amount(figures.bothAmount, figures.bothCurrency),
    bothEffects: figures.bothEffects,
  };
}

function amount(value: string | null, currency: string | null): Amount | null {
  return value === null ? null : { value, currency };
}

/**
 * How the two relate: both stand for certain, both would if the original worked, or both would against all that is known.
 * A retry's original has been shown not to have worked; that it did after all is the case that costs.
 */
export type Standing = 'BOTH_STAND' | 'BOTH_IF_IT_WORKED' | 'BOTH_AFTER_ALL';

export function standingTogether(relation: Relation, { effect }: ReissueExposure): Standing {
  if (relation !== 'RETRY_AS_NEW' && effect === 'EXISTS') return 'BOTH_STAND';
  return effect === 'NONE_KNOWN' || relation === 'RETRY_AS_NEW' ? 'BOTH_AFTER_ALL' : 'BOTH_IF_IT_WORKED';
}

/** In which form what may stand can be said: one sum, two amounts in two currencies, or a count. */
export type Together =
  | { readonly as: 'SUM'; readonly sum: Amount }
  | { readonly as: 'TWO_AMOUNTS'; readonly original: Amount; readonly added: Amount }
  | { readonly as: 'COUNT'; readonly effects: number };

export function togetherOf({ both, original, added, bothEffects }: ReissueExposure): Together {
  if (both !== null) return { as: 'SUM', sum: both };
  if (original !== null && added !== null) return { as: 'TWO_AMOUNTS', original, added };
  return { as: 'COUNT', effects: bothEffects };
}

/** The choice that a form describes; a retry, and new work of the same content, take no arrival. */
export function choiceOf(
  choices: readonly ReissueChoice[],
  relation: Relation,
  intakeId: string | null,
): ReissueChoice | null {
  return choices.find((each) => each.relation === relation && each.intakeId === intakeId) ?? null;
}
