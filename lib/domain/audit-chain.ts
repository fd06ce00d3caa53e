import type { AuditRecord } from './audit-events';
import { auditHash, GENESIS_HASH } from './audit-hash';

/** How far a chain has been followed: the last good event. */
export interface ChainPoint {
  readonly number: bigint;
  /** 64 lower-case hexadecimal digits. */
  readonly hash: string;
}

/** Before event 1. */
export const CHAIN_START: ChainPoint = { number: 0n, hash: GENESIS_HASH };

/**
 * `MISSING` no event has this number · `UNLINKED` it does not follow the event before · `CHANGED` its content is not what
 * was hashed · `UNEXPECTED` an event where none can be (a repeated number, one behind the head) · `HEAD` the head does not
 * carry this event's hash.
 */
export type ChainFaultReason = 'MISSING' | 'UNLINKED' | 'CHANGED' | 'UNEXPECTED' | 'HEAD';

export interface ChainFault {
  /** The first bad number. */
  readonly number: bigint;
  readonly reason: ChainFaultReason;
}

export type ChainStep = { ok: true; point: ChainPoint } | { ok: false; fault: ChainFault };

/** Follows the chain by one event, the next one in order of number. */
export function followChain(from: ChainPoint, record: AuditRecord): ChainStep {
  const number = BigInt(record.number);
  const expected = from.number + 1n;
  if (number > expected) return fault(expected, 'MISSING');
  if (number < expected) return fault(number, 'UNEXPECTED');
  // Content before link: a changed event is named itself, not the healthy one after it.
  if (auditHash(record) !== record.hash) return fault(number, 'CHANGED');
  if (record.previousHash !== from.hash) return fault(number, 'UNLINKED');
  return { ok: true, point: { number, hash: record.hash } };
}

/**
 * Compares what was followed with the head row. Null when they agree.
 * @param head null when the head row itself is gone
 */
export function judgeHead(reached: ChainPoint, head: ChainPoint | null, last: bigint): ChainFault | null {
  if (head === null) return { number: reached.number + 1n, reason: 'HEAD' };
  if (reached.number < head.number) return { number: reached.number + 1n, reason: 'MISSING' };
  if (last > head.number) return { number: head.number + 1n, reason: 'UNEXPECTED' };
  if (reached.hash !== head.hash) return { number: head.number, reason: 'HEAD' };
  return null;
}

function fault(number: bigint, reason: ChainFaultReason): ChainStep {
  return { ok: false, fault: { number, reason } };
}
