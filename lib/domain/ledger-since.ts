import type { AuditRecord } from './audit-events';
import type { IntakeDisposition } from './dispositions';
import type { Relation } from './decisions';
import type { Verdict } from './lookup-verdict';
import type { ExecutionState } from './states';

/** How one execution stands now, and what came to it. Instants RFC 3339, UTC. */
export interface Aftermath {
  readonly executionId: string;
  readonly key: string;
  readonly state: ExecutionState;
  readonly stateSince: string;
  /** How it stood when its record expired, and since when its last attempt has been over; null while it has not expired. */
  readonly endedAs: { readonly state: ExecutionState; readonly at: string | null } | null;
  readonly resultId: string | null;
  readonly resultUrl: string | null;
  /** Null when none began. */
  readonly attempts: {
    readonly count: number;
    readonly firstAt: string;
    readonly lastOwner: string;
    /** When the last one's effect started and when it ended; null while it has not. */
    readonly effectAt: string | null;
    readonly endedAt: string | null;
  } | null;
  /** Null when there was none. */
  readonly arrivals: {
    readonly count: number;
    readonly lastAt: string;
    readonly answer: IntakeDisposition;
    /** The principals that sent them, by name. */
    readonly senders: readonly string[];
  } | null;
  /** Looks at the outside system; null when there was none. */
  readonly looks: {
    readonly count: number;
    /** Of the last one. */
    readonly verdict: Verdict;
    readonly resultId: string | null;
    /** The event that recorded it; null when that has left the database. */
    readonly event: AuditRecord | null;
  } | null;
}

/** What the outside system says about the outcome that the ledger has: it confirms it, does not, or was asked about no outcome. */
export type KnownOutside = 'NOT_ASKED' | 'CONFIRMED' | 'NOT_CONFIRMED' | 'ASKED';

/** The ledger's own word never confirms itself: only a look does, of the same result (R-088q). */
export function knownOutside({ state, resultId, looks }: Aftermath): KnownOutside {
  if (looks === null) return 'NOT_ASKED';
  if (state !== 'SUCCEEDED') return 'ASKED';
  const same = resultId === null || looks.resultId === null || looks.resultId === resultId;
  return looks.verdict === 'APPLIED' && same ? 'CONFIRMED' : 'NOT_CONFIRMED';
}

/** An execution that was made for another one: what came to it in all its life. */
export interface MadeFor extends Aftermath {
  readonly relation: Relation | null;
  readonly madeAt: string;
}

/** What the ledger holds now about the execution of an audit event, and what came to it after that event. */
export interface LedgerSince extends Aftermath {
  /** New keys for its work, whenever they were made; the oldest first. */
  readonly made: readonly MadeFor[];
}
