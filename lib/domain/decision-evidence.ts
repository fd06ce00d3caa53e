import type { ExternalStatus, LookupOutcome, Proof, Verdict } from './lookup-verdict';
import type { RefusalCode } from './refusals';

/** What of a kept lookup its standing as evidence depends on. Instants RFC 3339. */
export interface LookupStanding {
  readonly lookupId: string;
  /** Decimal string: the row version that it is about. */
  readonly executionVersion: string;
  /** A person looked, not a connector. */
  readonly byPerson: boolean;
  /** Whose word it is where a person looked. */
  readonly lookedBy: string;
  readonly outcome: LookupOutcome;
  /** The system's own word; null where a person looked: nobody entered one. */
  readonly externalStatus: ExternalStatus | null;
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
export function learnedNothing({ outcome }: Pick<LookupStanding, 'outcome'>): boolean {
  return outcome === 'INACCESSIBLE' || outcome === 'INCONCLUSIVE';
}

/** "Not there" before its horizon has shown nothing yet. */
export function isTooEarly(lookup: LookupStanding): boolean {
  return lookup.verdict === 'NOT_APPLIED' && Date.parse(lookup.checkedAt) < Date.parse(lookup.usableFrom);
}

/** What the outside system and a person have shown last about one version; both are kept in sight. */
export interface TwoSources<Look extends LookupStanding = LookupStanding> {
  readonly connector: Look | null;
  readonly person: Look | null;
  /** The look that decides; without one that learned something the newest at all, so that a page can say what it came to. */
  readonly decisive: Look | null;
  /** A person's newer look differs from what the system showed: nothing stands on either until the system is asked again. */
  readonly contradict: boolean;
  /** A person saw that it happened, and the system's newer look says that it did not: it stays in sight. */
  readonly contrary: Look | null;
  /** The other of two people who saw the same result while the system answers with nothing: enough for linking. */
  readonly witness: Look | null;
}

/**
 * The newest look decides, but a person's does not overrule what the outside system showed, and the system's "not there"
 * does not take a person's look out of sight. `lookups` newest first. `review.looks_contradict`,
 * `review.contrary_look` and `review.witnessed_look` are the same in SQL.
 */
export function twoSources<Look extends LookupStanding>(
  lookups: readonly Look[],
  executionVersion: string,
): TwoSources<Look> {
  const present = lookups.filter((each) => each.executionVersion === executionVersion);
  const telling = present.filter((each) => !learnedNothing(each));
  const connector = telling.find((each) => !each.byPerson) ?? null;
  const person = telling.find((each) => each.byPerson) ?? null;
  const newest = telling[0] ?? present[0] ?? null;
  const sources = { connector, person, decisive: newest, contradict: false, contrary: null, witness: null };
  if (connector === null || person === null) return sources;
  const witness = isEmpty(connector) ? witnessOf(person, telling) : null;
  if (witness !== null) return { ...sources, decisive: person, witness };
  if (newest !== person) {
    const isContrary = person.verdict === 'APPLIED' && connector.verdict === 'NOT_APPLIED';
    return isContrary ? { ...sources, contrary: person } : sources;
  }
  if (isTooEarly(connector)) return sources;
  if (differ(person, connector)) return { ...sources, decisive: connector, contradict: true };
  // Both say the same; the one that names the result carries more.
  return person.resultId === null ? { ...sources, decisive: connector } : sources;
}

/** The system answered and had nothing; what it did find, two people's word never outweighs. */
function isEmpty({ outcome, verdict }: LookupStanding): boolean {
  return outcome === 'NOT_FOUND' && verdict === 'NOT_APPLIED';
}

/** Another person saw the same result before, account and content agreeing, and nobody has said otherwise since. */
function witnessOf<Look extends LookupStanding>(newest: Look, telling: readonly Look[]): Look | null {
  const people = telling.filter((each) => each.byPerson);
  const end = people.findIndex((each) => each.verdict !== 'APPLIED' || differ(each, newest));
  const since = end === -1 ? people : people.slice(0, end);
  const tells = (each: LookupStanding) =>
    each.resultId !== null && each.resultId === newest.resultId && isAgreed(each);
  const other = since.find((each) => each.lookedBy !== newest.lookedBy && tells(each));
  return tells(newest) ? (other ?? null) : null;
}

function differ(person: LookupStanding, connector: LookupStanding): boolean {
  if (person.verdict !== connector.verdict) return true;
  return person.resultId !== null && connector.resultId !== null && person.resultId !== connector.resultId;
}

/**
 * Account and content are the execution's, as far as linking asks. A connector's empty answer about a thing that
 * was to go has nothing to compare: its question named the thing. The same is judged in `review.link_result`.
 */
export function isAgreed(lookup: LookupStanding): boolean {
  const { accountMatch, contentMatch } = lookup;
  if (lookup.outcome === 'NOT_FOUND' && !lookup.byPerson)
    return accountMatch !== false && contentMatch !== false;
  return accountMatch === true && contentMatch === true;
}

/** The outside system shows that it happened and was undone; `review.undone_look` is the same in SQL. */
export function isUndone({ decisive, contradict }: TwoSources, proof: Proof): boolean {
  return (
    proof === 'PRESENCE' &&
    !contradict &&
    decisive !== null &&
    !decisive.byPerson &&
    decisive.outcome === 'FOUND' &&
    decisive.externalStatus === 'reversed'
  );
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
  const { decisive: lookup, contradict } = twoSources(lookups, executionVersion);
  const refuse = (refusal: RefusalCode, opensAt: string | null = null) => ({ lookup, refusal, opensAt });
  if (lookup === null) return refuse(lookups.length === 0 ? 'EVIDENCE_MISSING' : 'EVIDENCE_WRONG_SUBJECT');
  if (contradict) return refuse('EVIDENCE_CONTRADICTED');
  if (lookup.verdict !== wanted) return refuse('EVIDENCE_SHOWS_OTHERWISE');
  const beforeHorizon = isTooEarly(lookup);
  if (beforeHorizon && now.getTime() < Date.parse(lookup.usableFrom))
    return refuse('HORIZON_NOT_OVER', lookup.usableFrom);
  if (Date.parse(lookup.checkedAt) + maxAgeSeconds * 1000 < now.getTime()) return refuse('EVIDENCE_STALE');
  if (beforeHorizon) return refuse('HORIZON_NOT_OVER');
  if (lookup.usableUntil !== null && Date.parse(lookup.usableUntil) <= now.getTime())
    return refuse('EVIDENCE_PROVES_NOTHING');
  return { lookup, refusal: null, opensAt: null };
}
