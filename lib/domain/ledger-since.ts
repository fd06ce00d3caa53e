import type { IntakeDisposition } from './dispositions';
import type { Relation } from './decisions';
import type { ExecutionState } from './states';

/** An execution that was made for another one. */
export interface MadeFor {
  readonly executionId: string;
  readonly key: string;
  readonly relation: Relation | null;
  readonly state: ExecutionState;
  readonly resultId: string | null;
}

/** What the ledger holds now about the execution of an audit event, and what came to it after that event. */
export interface LedgerSince {
  readonly executionId: string;
  readonly key: string;
  readonly state: ExecutionState;
  /** RFC 3339, UTC. */
  readonly stateSince: string;
  readonly resultId: string | null;
  /** Attempts that began after the event. */
  readonly attempts: number;
  /** Arrivals after the event; null when there was none. */
  readonly arrivals: {
    readonly count: number;
    readonly lastAt: string;
    readonly answer: IntakeDisposition;
  } | null;
  /** New keys for its work, whenever they were made; the oldest first. */
  readonly made: readonly MadeFor[];
}
