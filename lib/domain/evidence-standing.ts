import { decisiveLookup } from './decision-evidence';
import type { EvidenceView } from './exception-view';

/** What the outside system has shown so far, in one word for the page's headline. */
export const EVIDENCE_STANDINGS = [
  'NOT_LOOKED',
  'OUTDATED',
  'MATCH',
  'ABSENT_AS_WANTED',
  'NOT_APPLIED',
  'NOT_APPLIED_TOO_EARLY',
  'UNDER_WAY',
  'MISMATCH',
  'MULTIPLE',
  'SILENT',
  'UNCLEAR',
] as const;
export type EvidenceStanding = (typeof EVIDENCE_STANDINGS)[number];

export interface StandingOfEvidence {
  readonly standing: EvidenceStanding;
  /** The look that it is told from; null when nobody has looked. */
  readonly lookup: EvidenceView | null;
}

/** `evidence` newest first. */
export function standingOf(evidence: readonly EvidenceView[], executionVersion: string): StandingOfEvidence {
  const decisive = decisiveLookup(evidence, executionVersion);
  const lookup = evidence.find((each) => each.lookupId === decisive?.lookupId) ?? null;
  if (lookup === null)
    return { standing: evidence.length === 0 ? 'NOT_LOOKED' : 'OUTDATED', lookup: evidence[0] ?? null };
  return { standing: ofLookup(lookup), lookup };
}

function ofLookup(lookup: EvidenceView): EvidenceStanding {
  switch (lookup.outcome) {
    case 'INACCESSIBLE':
      return 'SILENT';
    case 'MULTIPLE':
      return 'MULTIPLE';
    case 'MISMATCH':
      return 'MISMATCH';
    case 'INCONCLUSIVE':
      return 'UNCLEAR';
    case 'FOUND':
    case 'NOT_FOUND':
      break;
    default: {
      const impossible: never = lookup.outcome;
      throw new Error(`bug: unknown lookup outcome ${String(impossible)}`);
    }
  }
  switch (lookup.verdict) {
    case 'APPLIED':
      return lookup.outcome === 'NOT_FOUND' ? 'ABSENT_AS_WANTED' : 'MATCH';
    case 'NOT_APPLIED':
      return Date.parse(lookup.checkedAt) < Date.parse(lookup.usableFrom)
        ? 'NOT_APPLIED_TOO_EARLY'
        : 'NOT_APPLIED';
    case 'UNDER_WAY':
      return 'UNDER_WAY';
    case 'UNCLEAR':
      return 'UNCLEAR';
    default: {
      const impossible: never = lookup.verdict;
      throw new Error(`bug: unknown verdict ${String(impossible)}`);
    }
  }
}
