// @ts-check
import { auditHash, GENESIS_HASH } from './event-hash.mjs';

/**
 * How far a chain has been followed: the last good event.
 * @typedef {object} ChainPoint
 * @property {bigint} number
 * @property {string} hash 64 lower-case hexadecimal digits
 */

/**
 * `MISSING` no event has this number · `UNLINKED` it does not follow the event before · `CHANGED` its content is not what
 * was hashed · `UNEXPECTED` an event where none can be (a repeated number, one behind the head) · `HEAD` the head does not
 * carry this event's hash · `TEXT` a text is not the one that was committed to, or is missing and no event tells of its erasure ·
 * `REWRITTEN` from here to a checkpoint, something is not what was signed · `ANCHOR` what is said about the events retired up to
 * here is not what was signed or recorded · `ARCHIVE` the file is not the one that was retired · `PROOF` what it carries leads
 * to no root that was signed, though one was for every event of its time.
 * @typedef {'PROOF' | 'MISSING' | 'UNLINKED' | 'CHANGED' | 'UNEXPECTED' | 'HEAD' | 'TEXT' | 'REWRITTEN' | 'ANCHOR' | 'ARCHIVE'} ChainFaultReason
 */

/**
 * @typedef {object} ChainFault
 * @property {bigint} number the first bad number
 * @property {ChainFaultReason} reason
 */

/** @typedef {{ ok: true, point: ChainPoint } | { ok: false, fault: ChainFault }} ChainStep */

/**
 * Before event 1.
 * @type {ChainPoint}
 */
export const CHAIN_START = { number: 0n, hash: GENESIS_HASH };

/**
 * Follows the chain by one event, the next one in order of number.
 * @param {ChainPoint} from
 * @param {import('./event-hash.mjs').AuditRecord} record
 * @returns {ChainStep}
 */
export function followChain(from, record) {
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
 * @param {ChainPoint} reached
 * @param {ChainPoint | null} head null when the head row itself is gone
 * @param {bigint} last the greatest number there is
 * @returns {ChainFault | null}
 */
export function judgeHead(reached, head, last) {
  if (head === null) return { number: reached.number + 1n, reason: 'HEAD' };
  if (reached.number < head.number) return { number: reached.number + 1n, reason: 'MISSING' };
  if (last > head.number) return { number: head.number + 1n, reason: 'UNEXPECTED' };
  if (reached.hash !== head.hash) return { number: head.number, reason: 'HEAD' };
  return null;
}

/**
 * @param {bigint} number
 * @param {ChainFaultReason} reason
 * @returns {ChainStep}
 */
function fault(number, reason) {
  return { ok: false, fault: { number, reason } };
}
