// @ts-check
// What the signer alone can give: its word, before they leave, on which events may, when they are old, and in which archive.

/** Days; fewer are not believed, whoever signed them: the database never keeps events for less. */
const FEWEST_DAYS = 30;
const DAY_MS = 86_400_000;

/** @typedef {Pick<import('./retirements.mjs').Retirement, 'last' | 'hash' | 'sha256'> & { first?: bigint, archive?: string }} RetiredArchive */

/** Learns from records, in order, what was sealed; each of them must have been believed before. */
export class Seals {
  constructor() {
    /** @type {import('./checkpoint.mjs').CheckpointRecord[]} one a month */
    this.sealed = [];
    /** @type {Map<string, import('./checkpoint.mjs').CheckpointRecord | null>} when the ends in question were signed first */
    this.ends = new Map();
  }

  /** Which ends will be asked about. Call it before the first record. @param {Iterable<bigint>} ends */
  watch(ends) {
    for (const end of ends) this.ends.set(end.toString(), null);
  }

  /** @param {import('./checkpoint.mjs').CheckpointRecord} record */
  take(record) {
    if (record.type === 'retirement') this.sealed.push(record);
    else if (this.ends.get(record.number) === null) this.ends.set(record.number, record);
  }

  /**
   * Whether the signer let exactly this leave, and by the signed times it was old enough then.
   * @param {RetiredArchive} range
   */
  holds(range) {
    const end = this.ends.get(range.last.toString()) ?? null;
    if (end === null || end.hash !== range.hash) return false;
    return this.sealed.some(
      (record) =>
        isSealOf(record, range) && isOldEnough(end.signedAt, record.signedAt, record.retired?.keepDays),
    );
  }
}

/**
 * @param {{ retired?: import('./checkpoint.mjs').SealedRange }} record
 * @param {RetiredArchive} range
 */
export function isSealOf({ retired }, { first, last, hash, archive, sha256 }) {
  return (
    retired !== undefined &&
    (first === undefined || retired.first === first.toString()) &&
    retired.last === last.toString() &&
    retired.hash === hash &&
    (archive === undefined || retired.archive === archive) &&
    retired.sha256 === sha256
  );
}

/**
 * @param {string} signedAt when the last of the events was signed
 * @param {string} now
 * @param {string | number | undefined} keepDays
 */
export function isOldEnough(signedAt, now, keepDays) {
  const days = Number(keepDays ?? 0);
  return days >= FEWEST_DAYS && Date.parse(now) - Date.parse(signedAt) >= days * DAY_MS;
}
