import type { IntakeDisposition } from './dispositions';
import type { Relation } from './decisions';
import type { ExecutionState } from './states';

/** How one execution stands now, and what came to it. Instants RFC 3339, UTC. */
export interface Aftermath {
  readonly executionId: string;
  readonly key: string;
  readonly state: ExecutionState;
  readonly stateSince: string;
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
