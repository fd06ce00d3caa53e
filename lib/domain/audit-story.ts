import { memberOf } from './audit-body';
import { LOOKS } from './audit-told';
import type { AuditRecord } from './audit-events';
import type { LookMoment } from './settled-look';

/** What stands around one event of a story, for a reader who was not there. */
export interface AuditContext {
  /** The request that the event answers or carries out. */
  readonly request: AuditRecord | null;
  /** The look that the person had before them, where the event stands on another one. */
  readonly shown: AuditRecord | null;
  /** The look on which it stands: its own, else its request's. */
  readonly evidence: AuditRecord | null;
  /** When that look was made, seen from the person who decided. */
  readonly moment: LookMoment;
  /** What was recorded later, oldest first. */
  readonly after: readonly AuditRecord[];
}

/** The events that recorded a look each, by the look's id: what names a look leads there (R-088o). */
export function lookEventsOf(story: readonly AuditRecord[]): ReadonlyMap<string, AuditRecord> {
  const looks = story.filter(({ event, outcome }) => LOOKS.includes(event) && outcome === 'done');
  return new Map(looks.map((look) => [memberOf(look, 'lookupId') ?? '', look]));
}

/** The event in which whoever an event names as its decider decided; null where nobody is named, or the story lacks it. */
export function decidedIn(event: AuditRecord, story: readonly AuditRecord[]): AuditRecord | null {
  const decider = memberOf(event, 'onBehalfOf');
  const before = story.filter((other) => BigInt(other.number) < BigInt(event.number));
  return (
    before.findLast(
      (other) =>
        other.actorId === decider &&
        other.approvalRequestId === event.approvalRequestId &&
        other.outcome === 'done',
    ) ?? null
  );
}

/** What a line of a story must say so that nobody takes it for something else. */
export interface LineStanding {
  /** Whose execution it is about, where the story tells of two. */
  readonly about: 'ORIGINAL' | 'NEW' | null;
  /** A look that the new key was made on, which the approver had not seen. */
  readonly afterApproval: boolean;
}

/** A look at the original, after a new key was approved, is no confirmation of the new one (R-088r). */
export function standingOf(line: AuditRecord, story: readonly AuditRecord[]): LineStanding {
  const made = story.filter(
    (event) => event.outcome === 'done' && memberOf(event, 'newExecutionId') !== null,
  );
  const newIds = made.map((event) => memberOf(event, 'newExecutionId'));
  const lookupId = LOOKS.includes(line.event) ? memberOf(line, 'lookupId') : null;
  // An event that makes a key names both.
  const untold = made.length === 0 || line.executionId === null || memberOf(line, 'newExecutionId') !== null;
  return {
    about: untold ? null : newIds.includes(line.executionId) ? 'NEW' : 'ORIGINAL',
    afterApproval:
      lookupId !== null &&
      made.some((event) => event.event === 'reissue.executed' && memberOf(event, 'evidenceId') === lookupId),
  };
}

/** Reads an event's context out of its story: the audit alone tells it, whatever has become of the ledger since. */
export function auditContext(event: AuditRecord, story: readonly AuditRecord[]): AuditContext {
  const number = BigInt(event.number);
  const before = story.filter((other) => BigInt(other.number) < number);
  const request =
    event.approvalRequestId === null
      ? null
      : (before.find(
          (other) => other.approvalRequestId === event.approvalRequestId && other.outcome === 'done',
        ) ?? null);
  const evidenceId = memberOf(event, 'evidenceId') ?? (request && memberOf(request, 'evidenceId'));
  const shownId = memberOf(event, 'shownEvidenceId');
  const lookOf = (id: string | null) =>
    id === null ? null : (before.find((other) => memberOf(other, 'lookupId') === id) ?? null);
  return {
    request,
    shown: shownId === evidenceId ? null : lookOf(shownId),
    evidence: lookOf(evidenceId),
    moment: momentOf(event, shownId),
    after: story.filter((other) => BigInt(other.number) > number),
  };
}

/** The look that a new key is made on is the worker's own, after the approval. */
function momentOf(event: AuditRecord, shownId: string | null): LookMoment {
  if (event.event === 'reissue.executed') return 'AFTER_APPROVAL';
  const own = memberOf(event, 'evidenceId');
  return shownId === null || own === null || own === shownId ? 'SHOWN' : 'ON_DECIDING';
}
