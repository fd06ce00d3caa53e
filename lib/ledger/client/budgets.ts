import type { RetryPolicy } from './types';

/** Milliseconds and tries of a call that nobody chose a budget for: the protocol's own deadline. */
export const DEFAULT_BUDGET: RetryPolicy = {
  maxAttempts: 5,
  deadlineMs: 30_000,
  baseDelayMs: 200,
  maxDelayMs: 10_000,
  requestTimeoutMs: 10_000,
};

/** A person waits in front of a page: few tries, close together, and an honest "later" before they turn away. */
export const INTERACTIVE: RetryPolicy = {
  maxAttempts: 4,
  deadlineMs: 8_000,
  baseDelayMs: 100,
  maxDelayMs: 1_500,
  requestTimeoutMs: 4_000,
};

/** Recovery that nobody watches: outlives a restarted database or a failover, and spares it by long pauses. */
export const BACKGROUND: RetryPolicy = {
  maxAttempts: 40,
  deadlineMs: 15 * 60_000,
  baseDelayMs: 500,
  maxDelayMs: 60_000,
  requestTimeoutMs: 10_000,
};
