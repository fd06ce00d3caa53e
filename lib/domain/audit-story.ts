import { detailOf, memberOf } from './audit-body';
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

/** How a look came to be made (R-088aa): the system begins by itself, goes on by its schedule, and looks once more after an approval. */
export type LookStart = 'BY_HAND' | 'BY_PERSON' | 'AFTER_APPROVAL' | 'AT_OPENING' | 'SCHEDULE';

export function lookStart(look: AuditRecord, story: readonly AuditRecord[]): LookStart {
  if (look.event === 'evidence.recorded') return 'BY_HAND';
  if (look.actorKind === 'person') return 'BY_PERSON';
  if (standingOf(look, story).afterApproval) return 'AFTER_APPROVAL';
  const first = story.find((other) => LOOKS.includes(other.event) && other.executionId === look.executionId);
  return first?.number === look.number ? 'AT_OPENING' : 'SCHEDULE';
}

/** Who asked for what an event is part of, and who answered, in order (R-088y). */
export interface TwoPeople {
  readonly asked: AuditRecord | null;
  readonly agreed: readonly AuditRecord[];
  readonly refused: readonly AuditRecord[];
  /** Withdrawn, lapsed or void. */
  readonly over: boolean;
}

const AGREEING = ['reissue.approved', 'decision.not_applied_confirmed', 'decision.effect_settled'];

export function twoPeopleOf({ approvalRequestId }: AuditRecord, story: readonly AuditRecord[]): TwoPeople {
  const ofRequest = story.filter(
    (event) => event.approvalRequestId === approvalRequestId && event.outcome === 'done',
  );
  return {
    asked: ofRequest.find(({ event }) => event.endsWith('requested')) ?? null,
    agreed: ofRequest.filter(({ event }) => AGREEING.includes(event)),
    refused: ofRequest.filter(({ event }) => event.endsWith('.rejected')),
    over: ofRequest.some(({ event }) => /\.(?:withdrawn|expired|voided)$/.test(event)),
  };
}

/** The last look at the event's execution before the event; null where the story has none (R-088w). */
export function lookBefore(event: AuditRecord, story: readonly AuditRecord[]): AuditRecord | null {
  return (
    story.findLast(
      (other) =>
        BigInt(other.number) < BigInt(event.number) &&
        LOOKS.includes(other.event) &&
        other.outcome === 'done' &&
        other.executionId === event.executionId,
    ) ?? null
  );
}

/** Numbers of the events that share their second with another one: their times need more digits. */
export function sameSecond(story: readonly AuditRecord[]): ReadonlySet<string> {
  const second = ({ occurredAt }: AuditRecord) => occurredAt.slice(0, 19);
  const shared = story.filter((event) =>
    story.some((other) => other.number !== event.number && second(other) === second(event)),
  );
  return new Set(shared.map(({ number }) => number));
}

/** What a line of a story must say so that nobody takes it for something else. */
export interface LineStanding {
  /** Whose execution it is about, where the story tells of two. */
  readonly about: 'ORIGINAL' | 'NEW' | null;
  /** A look that the new key was made on, which the approver had not seen. */
  readonly afterApproval: boolean;
}

const FOR_A_KEY = /^(?:reissue|break_glass)\./;

/** A look at the original, after a new key was approved, is no confirmation of the new one (R-088r). */
export function standingOf(line: AuditRecord, story: readonly AuditRecord[]): LineStanding {
  const made = story.filter(
    (event) => event.outcome === 'done' && detailOf(event, 'newExecutionId') !== null,
  );
  const newIds = made.map((event) => detailOf(event, 'newExecutionId'));
  const lookupId = LOOKS.includes(line.event) ? memberOf(line, 'lookupId') : null;
  // What is asked, answered or done for a new key is recorded at the original and is about the new one; the making names both.
  const untold = made.length === 0 || line.executionId === null || FOR_A_KEY.test(line.event);
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
