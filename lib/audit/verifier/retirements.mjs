// @ts-check
// Where a log begins whose older events have left it: each retired range has an anchor row, and the chain tells of each.
import { createHash } from 'node:crypto';

/**
 * An anchor as the database's row tells it, and as the event `audit.retired` has to tell it.
 * @typedef {object} Retirement
 * @property {bigint} first
 * @property {bigint} last
 * @property {string} hash of event `last`
 * @property {string} logId the hash of event 1
 * @property {string} archive the file's name
 * @property {string} sha256 of the file
 * @property {bigint} eventNumber of the event that tells of it
 */

/**
 * A digest over anchors, in order. The database's own implementation is `review.anchors_digest`.
 * @param {readonly Retirement[]} retirements
 */
export function anchorsDigest(retirements) {
  const lines = retirements.map(
    ({ first, last, hash, logId, archive, sha256, eventNumber }) =>
      `${[first, last, hash, logId, archive, sha256, eventNumber].join(' ')}\n`,
  );
  return createHash('sha256').update(lines.join('')).digest('hex');
}

/**
 * Whether the event tells of the last of these anchors, and by its digest of all of them.
 * @param {readonly Retirement[]} retirements in order, up to the one that the event is about
 * @param {import('./event-hash.mjs').AuditRecord} event
 */
export function tellsOf(retirements, event) {
  const row = retirements.at(-1);
  const told = readRetired(event);
  return (
    row !== undefined &&
    told !== null &&
    BigInt(event.number) === row.eventNumber &&
    told.last === row.last.toString() &&
    told.sha256 === row.sha256 &&
    told.anchors === anchorsDigest(retirements)
  );
}

/** Holds the anchors against the events that tell of them. The event of the last one is always in the log that stays. */
export class RetirementWitness {
  /** @param {readonly Retirement[]} retirements in order */
  constructor(retirements) {
    this.retirements = retirements;
    /** How many of the anchors, from the first on, an event has confirmed. */
    this.confirmed = 0;
  }

  /** @returns {import('./follow-chain.mjs').ChainPoint | null} after which the log begins; null when nothing has left it */
  anchor() {
    const row = this.retirements.at(-1);
    return row === undefined ? null : { number: row.last, hash: row.hash };
  }

  /** @param {import('./follow-chain.mjs').ChainPoint} point */
  isAnchor({ number, hash }) {
    return this.retirements.some((row) => row.last === number && row.hash === hash);
  }

  /**
   * @param {import('./event-hash.mjs').AuditRecord} event
   * @returns {import('./follow-chain.mjs').ChainFault | null}
   */
  take(event) {
    if (readRetired(event) === null) return null;
    const at = this.retirements.findIndex(({ eventNumber }) => eventNumber === BigInt(event.number));
    // Nothing in the database answers to this event.
    if (at < 0) return { number: BigInt(event.number), reason: 'ANCHOR' };
    if (!tellsOf(this.retirements.slice(0, at + 1), event)) return this.fault(at);
    this.confirmed = at + 1;
    return null;
  }

  /**
   * After the last event.
   * @returns {import('./follow-chain.mjs').ChainFault | null}
   */
  end() {
    const { retirements } = this;
    const gap = retirements.findIndex(({ first }, at) => first !== (retirements[at - 1]?.last ?? 0n) + 1n);
    if (gap >= 0) return this.fault(gap);
    return this.confirmed === retirements.length ? null : this.fault(this.confirmed);
  }

  /**
   * The first anchor that the signer did not give its word for.
   * @param {import('./seals.mjs').Seals} seals
   * @returns {import('./follow-chain.mjs').ChainFault | null}
   */
  unsealed(seals) {
    const at = this.retirements.findIndex((row) => !seals.holds(row));
    return at < 0 ? null : this.fault(at);
  }

  /**
   * @param {number} at
   * @returns {import('./follow-chain.mjs').ChainFault}
   */
  fault(at) {
    return { number: this.retirements[at]?.last ?? 1n, reason: 'ANCHOR' };
  }
}

/**
 * What an event tells of a range that has left; null for any other event.
 * @param {import('./event-hash.mjs').AuditRecord} event
 * @returns {Record<string, unknown> | null}
 */
function readRetired({ event, outcome, body }) {
  if (event !== 'audit.retired' || outcome !== 'done') return null;
  try {
    const value = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
