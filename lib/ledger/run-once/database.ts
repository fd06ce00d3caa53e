import type { RunOnceOptions } from './types';

/** One statement of ours in the open transaction; values become parameters. */
export type Sql = <Row>(text: TemplateStringsArray, ...values: readonly unknown[]) => Promise<readonly Row[]>;

/** A statement without values whose text is made: names cannot be parameters. */
export const made = (text: string): TemplateStringsArray => Object.assign([text], { raw: [text] });

export interface OpenTransaction<Tx> {
  readonly sql: Sql;
  /** Runs the work on the transaction. When it has ended, no statement of it is under way and none is let in (B-14). */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface Bounds {
  /** Milliseconds until everything must be over. */
  msLeft(): number;
  /** Milliseconds for COMMIT to be answered; less than is left, so that the record can still be read. */
  commitMs(): number;
  readonly isolation: NonNullable<RunOnceOptions['isolation']>;
}

/**
 * One kind of database client. `transaction` waits for a connection, opens, commits when `inside` returns and rolls back
 * when it throws. It throws `TransactionTimeoutError` when the time was over before COMMIT, `OutcomeUnknownError` when
 * COMMIT was not answered, and else what was thrown; only the second may have left something behind.
 */
export interface RunOnceDatabase<Tx> {
  transaction<T>(bounds: Bounds, inside: (open: OpenTransaction<Tx>) => Promise<T>): Promise<T>;
}

/** Milliseconds by which our own cut comes after the server's limits: those leave the connection whole. */
const GRACE_MS = 250;

export const cutAfterMs = (bounds: Bounds): number => Math.max(1, bounds.msLeft()) + GRACE_MS;
