import { twoSources, type TwoSources } from './decision-evidence';
import type { EvidenceView, ExceptionView, ExecutionFacts } from './exception-view';

/** What the outside system has shown so far, in one word for the page's headline. */
export type EvidenceStanding =
  | 'NOT_LOOKED'
  | 'REPORTED'
  | 'NEVER_STARTED'
  | 'PROVEN_NOT'
  | 'OUTDATED'
  | 'MATCH'
  | 'SEEN_BY_ONE'
  | 'SEEN_BY_TWO'
  | 'ABSENT_AS_WANTED'
  | 'NOT_APPLIED'
  | 'NOT_APPLIED_TOO_EARLY'
  | 'UNDER_WAY'
  | 'UNDONE'
  | 'CONTRADICTED'
  | 'SEEN_OTHERWISE'
  | 'MISMATCH'
  | 'MULTIPLE'
  | 'SILENT'
  | 'UNCLEAR';

export interface StandingOfEvidence {
  readonly standing: EvidenceStanding;
  /** The look that it is told from; null when nobody has looked. */
  readonly lookup: EvidenceView | null;
  /** The last look of the other side (person or outside system) at the same version; null when there is none. */
  readonly beside: EvidenceView | null;
  /** The other person who saw the same, where the word of two stands against an empty answer. */
  readonly witness: EvidenceView | null;
}

/**
 * `evidence` newest first; `effectStarted` by any attempt. Without a look, the executor's own word is what there is.
 * `settledOn` is the look that a closed exception was decided on: it stands, whatever the execution is by now.
 */
export function standingOf(
  evidence: readonly EvidenceView[],
  execution: ExecutionFacts,
  effectStarted: boolean,
  settledOn: string | null = null,
): StandingOfEvidence {
  const carried = evidence.find((each) => each.lookupId === settledOn);
  if (carried !== undefined)
    return { standing: ofLookup(carried), lookup: carried, beside: null, witness: null };
  const sources = twoSources(evidence, execution.version);
  const lookup = sources.decisive;
  if (lookup !== null) {
    const beside = lookup === sources.person ? sources.connector : sources.person;
    return { standing: ofSources(sources, lookup), lookup, beside, witness: sources.witness };
  }
  if (evidence.length > 0)
    return { standing: 'OUTDATED', lookup: evidence[0] ?? null, beside: null, witness: null };
  return { standing: withoutLook(execution, effectStarted), lookup: null, beside: null, witness: null };
}

/** The look that the page of an open exception puts before the person who decides; null when nobody has looked. */
export function shownLook({
  evidence,
  execution,
}: Pick<ExceptionView, 'evidence' | 'execution'>): EvidenceView | null {
  return execution === null ? null : standingOf(evidence, execution, false).lookup;
}

function ofSources({ contradict, contrary, witness }: TwoSources, lookup: EvidenceView): EvidenceStanding {
  if (contradict) return 'CONTRADICTED';
  if (contrary !== null) return 'SEEN_OTHERWISE';
  return witness === null ? ofLookup(lookup) : 'SEEN_BY_TWO';
}

function withoutLook(execution: ExecutionFacts, effectStarted: boolean): EvidenceStanding {
  if (execution.resultId !== null) return 'REPORTED';
  if (execution.state === 'FAILED_RETRYABLE' && execution.failureBasis !== null) return 'PROVEN_NOT';
  const untouched = ['RECEIVED', 'PROCESSING', 'FAILED_RETRYABLE', 'FAILED_FINAL'].includes(execution.state);
  return untouched && !effectStarted ? 'NEVER_STARTED' : 'NOT_LOOKED';
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
      if (lookup.byPerson) return 'SEEN_BY_ONE';
      return lookup.outcome === 'NOT_FOUND' ? 'ABSENT_AS_WANTED' : 'MATCH';
    case 'NOT_APPLIED':
      return Date.parse(lookup.checkedAt) < Date.parse(lookup.usableFrom)
        ? 'NOT_APPLIED_TOO_EARLY'
        : 'NOT_APPLIED';
    case 'UNDER_WAY':
      return 'UNDER_WAY';
    case 'UNCLEAR':
      return lookup.externalStatus === 'reversed' ? 'UNDONE' : 'UNCLEAR';
    default: {
      const impossible: never = lookup.verdict;
      throw new Error(`bug: unknown verdict ${String(impossible)}`);
    }
  }
}
