import type { BulkAct } from './bulk-acts';
import type { ExceptionKind } from './exception-kinds';
import type { PersonRef } from './person-ref';
import type { RefusalCode } from './refusals';

/** Exceptions of one job; what a filter finds beyond them is said and left out. */
export const JOB_CAP = 10_000;

/** The same of a link: each of them is compared for the preview. */
export const LINK_JOB_CAP = 1_000;

/** Selected exceptions up to which an act is carried out at once, row by row before the person's eyes. */
export const AT_ONCE = 20;

/** Rows per second to choose from. */
export const JOB_RATES = [1, 2, 5, 10, 20, 50, 100] as const;
export const DEFAULT_RATE = 5;

/** First rows after which the job asks; null: it does not. */
export const CANARIES = [null, 5, 20, 100] as const;
export const DEFAULT_CANARY = 5;

export const JOB_STATES = ['PREVIEW', 'RUNNING', 'PAUSED', 'DONE', 'ABORTED'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const ROW_STATES = ['PENDING', 'DONE', 'REFUSED', 'FAILED'] as const;
export type RowState = (typeof ROW_STATES)[number];

export const JOB_STEPS = ['start', 'pause', 'resume', 'abort', 'change-rate'] as const;
export type JobStep = (typeof JOB_STEPS)[number];

/** How many rows are where; every row is in exactly one figure, at every moment. */
export interface JobSums {
  readonly rowCount: number;
  readonly pending: number;
  readonly done: number;
  readonly refused: number;
  readonly failed: number;
}

/** One line of a list of jobs. */
export interface JobLine extends JobSums {
  readonly jobId: string;
  readonly act: BulkAct;
  readonly state: JobState;
  readonly pausedBecause: 'ASKED' | 'CANARY' | null;
  readonly tenantName: string;
  readonly startedBy: PersonRef;
  readonly preparedAt: string;
  readonly endedAt: string | null;
}

export interface JobView extends JobLine {
  readonly now: string;
  readonly assignee: PersonRef | null;
  readonly until: string | null;
  readonly place: string | null;
  /** The queue's address as it was frozen; null: chosen by hand, or another job's rows. */
  readonly filter: string | null;
  readonly words: string | null;
  readonly matched: number;
  readonly retryOf: string | null;
  readonly rate: number;
  readonly canary: number | null;
  readonly canaryPassed: boolean;
  readonly startedAt: string | null;
  /** What the preview expected: how many rows each refusal stands in the way of. */
  readonly foreseen: readonly { readonly code: RefusalCode; readonly rows: number }[];
  /** Why the person may not take a step; null: they may. */
  readonly refusals: Readonly<Record<JobStep | 'retry', RefusalCode | null>>;
  readonly rows: readonly JobRow[];
  /** The row after which the next page begins; null: it is the last. */
  readonly next: number | null;
}

export interface JobRow {
  readonly rowNumber: number;
  readonly exceptionId: string;
  readonly kind: ExceptionKind;
  readonly operation: string;
  readonly key: string | null;
  readonly state: RowState;
  /** What stands in its way by the preview. */
  readonly foreseen: RefusalCode | null;
  /** Of a refused row. */
  readonly refusal: RefusalCode | null;
  /** Of a failed row: the fault. */
  readonly fault: string | null;
  readonly endedAt: string | null;
}

/** Rows a page shows of one state, or of all; null shows all. */
export type RowFilter = RowState | null;

export const isEnded = (state: JobState): boolean => state === 'DONE' || state === 'ABORTED';

/** Whole percent of the rows that have an outcome; 100 only when none is left. */
export function percentDone({ rowCount, pending }: JobSums): number {
  return pending === 0 ? 100 : Math.min(99, Math.floor(((rowCount - pending) * 100) / rowCount));
}
