import { type Severity } from './exception-kinds';

/** By what the queue can be put together; each is a filter as well, so that a group opens as a list. */
export const QUEUE_GROUPINGS = ['kind', 'operation', 'system', 'cause', 'incident'] as const;

export type QueueGrouping = (typeof QUEUE_GROUPINGS)[number];

/** Exceptions that share one value. */
export interface QueueGroup {
  /** Null: what has no such value, as an exception of no outage. */
  value: string | null;
  count: number;
  /** There are more than `count`. */
  more: boolean;
  /** When the oldest was opened; RFC 3339. */
  oldest: string;
  /** Of the most pressing one. */
  severity: Severity;
}
