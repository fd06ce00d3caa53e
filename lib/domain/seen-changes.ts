import type { ExceptionView } from './exception-view';
import type { ActorRef } from './person-ref';

/** What a person saw when they began to write, as far as a decision depends on it. */
export interface SeenState {
  /** Acts of the desk that were on the page, by their ids. */
  readonly acts: readonly string[];
  readonly exceptionVersion: string;
  /** Null for exceptions without an execution. */
  readonly executionVersion: string | null;
  readonly kind: string;
  readonly exceptionState: string;
  readonly executionState: string | null;
  readonly resultId: string | null;
  readonly assignee: string | null;
  readonly deferredUntil: string | null;
}

const SEEN_MEMBERS = [
  'kind',
  'exceptionState',
  'executionState',
  'resultId',
  'assignee',
  'deferredUntil',
] as const satisfies readonly (keyof SeenState)[];
type SeenMember = (typeof SEEN_MEMBERS)[number];

export interface SeenChange {
  readonly member: SeenMember;
  readonly from: string | null;
  readonly to: string | null;
}

export function seenStateOf({ exception, execution, activity }: ExceptionView): SeenState {
  return {
    acts: activity.map(({ eventId }) => eventId),
    exceptionVersion: exception.version,
    executionVersion: execution?.version ?? null,
    kind: exception.kind,
    exceptionState: exception.state,
    executionState: execution?.state ?? null,
    resultId: execution?.resultId ?? null,
    assignee: exception.assignee?.displayName ?? null,
    deferredUntil: exception.deferredUntil,
  };
}

/** True when a form filled in on `seen` would be refused now. */
export function isOutdated(seen: SeenState, present: SeenState): boolean {
  return (
    seen.exceptionVersion !== present.exceptionVersion || seen.executionVersion !== present.executionVersion
  );
}

/** What is different now; may be empty although the versions differ (a token, a target). */
export function changesSince(seen: SeenState, present: SeenState): readonly SeenChange[] {
  return SEEN_MEMBERS.filter((member) => seen[member] !== present[member]).map((member) => ({
    member,
    from: seen[member],
    to: present[member],
  }));
}

/** Who acted last since then, and when: who ended it, or whose act of the desk it was. Null: no person, only the ledger. */
export function changedBy(
  seen: SeenState,
  { exception, activity }: Pick<ExceptionView, 'exception' | 'activity'>,
): { readonly who: ActorRef; readonly at: string } | null {
  const acts = activity
    .filter(({ eventId }) => !seen.acts.includes(eventId))
    .map(({ actor: who, at }) => ({ who, at }));
  if (seen.exceptionState === 'OPEN' && exception.closedBy !== null && exception.closedAt !== null)
    acts.push({ who: exception.closedBy, at: exception.closedAt });
  const [last = null] = acts
    .filter(({ who }) => who.kind === 'person')
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return last;
}
