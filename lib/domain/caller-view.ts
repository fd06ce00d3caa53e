import type { CallerAnswer } from './caller-impact';
import type { Decision } from './decisions';
import type { IntakeDisposition } from './dispositions';

/** Who sends this key, and how it went. Reads of a status address are not recorded. */
export interface CallerView {
  readonly requestId: string | null;
  readonly arrivals: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly lastDisposition: IntakeDisposition;
  /** The key that it sent, where callers of several keys stand together. */
  readonly key: string | null;
  /** What it would get at this moment, where that differs from caller to caller. */
  readonly now: CallerAnswer | null;
}

export interface CallerImpact {
  readonly callers: readonly CallerView[];
  /** Null for exceptions without an execution. */
  readonly now: CallerAnswer | null;
  readonly after: Readonly<Partial<Record<Decision, CallerAnswer>>>;
}
