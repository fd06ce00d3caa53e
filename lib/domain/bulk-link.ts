import type { Rights } from './actor';
import type { LookupStanding } from './decision-evidence';
import { barOf, isOneOf } from './decision-offers';
import { rulesFor } from './decisions';
import type { ExceptionKind, ExceptionState } from './exception-kinds';
import { linkStanding, refused, type Standing, type StandsOn } from './offer-standing';

export interface BulkLinkSubject extends StandsOn {
  readonly kind: ExceptionKind;
  readonly state: ExceptionState;
  readonly rights: Rights;
  readonly authority: string;
}

/**
 * The outside system itself showed one thing that is done, with its id, and account and content agree. What people saw, and
 * what proves by not being there, is for one person and one exception.
 */
export function isConclusive(
  look: Pick<
    LookupStanding,
    'byPerson' | 'outcome' | 'verdict' | 'resultId' | 'accountMatch' | 'contentMatch'
  >,
): boolean {
  return (
    !look.byPerson &&
    look.outcome === 'FOUND' &&
    look.verdict === 'APPLIED' &&
    look.resultId !== null &&
    look.accountMatch === true &&
    look.contentMatch === true
  );
}

/** May this exception be linked together with others? Its own page asks the same, and less. */
export function bulkLinkStanding(subject: BulkLinkSubject): Standing {
  if (subject.state === 'CLOSED') return refused('EXCEPTION_CLOSED');
  const rule = rulesFor(subject.kind).find((each) => each.decision === 'LINK_RESULT');
  if (rule === undefined) return refused('DECISION_NOT_FOR_KIND');
  const barred = barOf(rule.roles, subject.rights, subject.authority);
  if (barred !== null) return refused(barred);
  if (!isOneOf(subject.execution, 'PROCESSING', 'UNKNOWN', 'EXPIRED')) return refused('STATE_NOT_SUITABLE');
  const standing = linkStanding(subject);
  const look = subject.lookups.find((each) => each.lookupId === standing.evidenceId);
  if (standing.refusal !== null || look === undefined) return standing;
  return isConclusive(look) ? standing : { ...standing, refusal: 'NOT_CONCLUSIVE' };
}
