import type { LookupOutcome, Verdict } from './lookup-verdict';
import type { RefusalCode } from './refusals';

/** What of a kept lookup its standing as evidence depends on. Instants RFC 3339. */
export interface LookupStanding {
  readonly lookupId: string;
  /** Decimal string: the row version that it is about. */
  readonly executionVersion: string;
  readonly outcome: LookupOutcome;
  readonly verdict: Verdict;
  readonly resultId: string | null;
  readonly accountMatch: boolean | null;
  readonly contentMatch: boolean | null;
  readonly checkedAt: string;
  readonly usableFrom: string;
  readonly usableUntil: string | null;
}

export interface EvidenceJudgement {
  /** The lookup that would carry the decision, named also when it can't yet. */
  readonly lookup: LookupStanding | null;
  readonly refusal: RefusalCode | null;
  /** When waiting alone takes the refusal away: the end of the negative-proof horizon. */
  readonly opensAt: string | null;
}

/** A look that learned nothing; a newer one of these does not count against older evidence. */
function learnedNothing(outcome: LookupOutcome): boolean {
  return outcome === 'INACCESSIBLE' || outcome === 'INCONCLUSIVE';
}

/**
 * The newest look about this version that learned something; without one, the newest at all, so that a page can say
 * what it came to. `lookups` newest first.
 */
export function decisiveLookup(
  lookups: readonly LookupStanding[],
  executionVersion: string,
): LookupStanding | null {
  const present = lookups.filter((each) => each.executionVersion === executionVersion);
  return present.find((each) => !learnedNothing(each.outcome)) ?? present[0] ?? null;
}

/**
 * May the evidence at hand carry a decision that wants this verdict? For pages; `review.evidence_refusal` judges the
 * same in SQL when the decision is made, and a test holds the two together.
 */
export function judgeEvidence(
  lookups: readonly LookupStanding[],
  executionVersion: string,
  wanted: Verdict,
  now: Date,
  maxAgeSeconds: number,
): EvidenceJudgement {
  const lookup = decisiveLookup(lookups, executionVersion);
  const refuse = (refusal: RefusalCode, opensAt: string | null = null) => ({ lookup, refusal, opensAt });
  if (lookup === null) return refuse(lookups.length === 0 ? 'EVIDENCE_MISSING' : 'EVIDENCE_WRONG_SUBJECT');
  if (lookup.verdict !== wanted) return refuse('EVIDENCE_SHOWS_OTHERWISE');
  const beforeHorizon =
    wanted === 'NOT_APPLIED' && Date.parse(lookup.checkedAt) < Date.parse(lookup.usableFrom);
  if (beforeHorizon && now.getTime() < Date.parse(lookup.usableFrom))
    return refuse('HORIZON_NOT_OVER', lookup.usableFrom);
  if (Date.parse(lookup.checkedAt) + maxAgeSeconds * 1000 < now.getTime()) return refuse('EVIDENCE_STALE');
  if (beforeHorizon) return refuse('HORIZON_NOT_OVER');
  if (
    wanted === 'NOT_APPLIED' &&
    lookup.usableUntil !== null &&
    Date.parse(lookup.usableUntil) <= now.getTime()
  )
    return refuse('EVIDENCE_PROVES_NOTHING');
  return { lookup, refusal: null, opensAt: null };
}
