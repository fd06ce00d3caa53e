/** What one lookup came back with. Source: domain, R-058. */
export const LOOKUP_OUTCOMES = [
  'FOUND',
  'NOT_FOUND',
  'MULTIPLE',
  'MISMATCH',
  'INACCESSIBLE',
  'INCONCLUSIVE',
] as const;
export type LookupOutcome = (typeof LOOKUP_OUTCOMES)[number];

/** How the outside system describes the thing it found; its own words are mapped to these by the connector. */
export const EXTERNAL_STATUSES = ['done', 'pending', 'failed', 'reversed'] as const;
export type ExternalStatus = (typeof EXTERNAL_STATUSES)[number];

/** What shows that the operation took effect: a thing exists, a thing is gone, or a field holds the wanted value. */
export const PROOFS = ['PRESENCE', 'ABSENCE', 'VALUE'] as const;
export type Proof = (typeof PROOFS)[number];

/** What a lookup says about the effect. UNCLEAR carries no decision. */
export const VERDICTS = ['APPLIED', 'NOT_APPLIED', 'UNDER_WAY', 'UNCLEAR'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** For proof by value: the field holds the wanted value, the one from before the request, or neither. */
export type ValueFound = 'WANTED' | 'BEFORE' | 'OTHER';

export interface Finding {
  outcome: LookupOutcome;
  /** Null when nothing was found, or the system used a word that the connector does not list (B-97). */
  externalStatus: ExternalStatus | null;
  /** Null unless the proof is VALUE and exactly one thing was found. */
  valueFound: ValueFound | null;
}

/**
 * The verdict of one finding under the operation's proof of effect.
 *
 * A silent system never counts as an empty one: INACCESSIBLE and INCONCLUSIVE are always UNCLEAR. MULTIPLE and
 * MISMATCH are for a person, and so is whatever was undone after it happened.
 */
export function judgeFinding(proof: Proof, finding: Finding): Verdict {
  switch (finding.outcome) {
    case 'INACCESSIBLE':
    case 'INCONCLUSIVE':
    case 'MULTIPLE':
    case 'MISMATCH':
      return 'UNCLEAR';
    case 'NOT_FOUND':
      return NOTHING_FOUND[proof];
    case 'FOUND':
      return finding.externalStatus === null
        ? 'UNCLEAR'
        : judgeFound(proof, finding.externalStatus, finding.valueFound);
    default: {
      const impossible: never = finding.outcome;
      throw new Error(`bug: unknown lookup outcome ${String(impossible)}`);
    }
  }
}

// Where a value was to be set, a missing object says neither "set" nor "not set".
const NOTHING_FOUND: Record<Proof, Verdict> = {
  PRESENCE: 'NOT_APPLIED',
  ABSENCE: 'APPLIED',
  VALUE: 'UNCLEAR',
};

// The status is that of the thing found, whatever the operation was. A thing that should be gone and is `reversed`
// (cancelled, soft-deleted) is gone; one that is `failed` was never there to be deleted.
const FOUND_THING: Record<Exclude<Proof, 'VALUE'>, Record<ExternalStatus, Verdict>> = {
  PRESENCE: { done: 'APPLIED', pending: 'UNDER_WAY', failed: 'NOT_APPLIED', reversed: 'UNCLEAR' },
  ABSENCE: { done: 'NOT_APPLIED', pending: 'UNDER_WAY', failed: 'UNCLEAR', reversed: 'APPLIED' },
};

// A value that is neither the wanted one nor the earlier one was set by somebody else: before or after us, unknown.
const FOUND_VALUE: Record<ValueFound, Verdict> = {
  WANTED: 'APPLIED',
  BEFORE: 'NOT_APPLIED',
  OTHER: 'UNCLEAR',
};

function judgeFound(proof: Proof, status: ExternalStatus, valueFound: ValueFound | null): Verdict {
  if (proof !== 'VALUE') return FOUND_THING[proof][status];
  if (status === 'pending') return 'UNDER_WAY';
  if (status !== 'done' || valueFound === null) return 'UNCLEAR';
  return FOUND_VALUE[valueFound];
}

/** What is needed to tell whether evidence can be linked as the execution's result. */
export interface LinkCandidate extends Finding {
  verdict: Verdict;
  resultId: string | null;
}

/**
 * True when the result may be linked: the effect is applied, and the outside system calls it done.
 * A deletion is proven by the thing's absence and has no status of its own.
 */
export function isLinkable(proof: Proof, candidate: LinkCandidate): boolean {
  if (candidate.verdict !== 'APPLIED') return false;
  if (proof === 'ABSENCE')
    return candidate.outcome === 'NOT_FOUND' || candidate.externalStatus === 'reversed';
  return candidate.outcome === 'FOUND' && candidate.externalStatus === 'done' && candidate.resultId !== null;
}
