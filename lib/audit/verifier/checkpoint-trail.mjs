// @ts-check
import { checkpointDigest, FIRST_PREVIOUS, parseCheckpoint } from './checkpoint.mjs';
import { KeyRing } from './key-ring.mjs';
import { Seals } from './seals.mjs';
import { isBefore } from './times.mjs';
import { Trees } from './trees.mjs';

/**
 * `FORM` no record · `SEQUENCE` not the one after the record before it · `OTHER_LOG` of another log ·
 * `BACKWARDS` signs fewer events than the one before, or the same number with another hash · `EARLIER` is dated before it ·
 * `TREE` does not cover exactly the events since the record before it, or its root is not theirs · the rest: who signed.
 * @typedef {'EARLIER' | 'TREE' | 'FORM' | 'SEQUENCE' | 'OTHER_LOG' | 'BACKWARDS' | import('./key-ring.mjs').KeyFaultReason} TrailFaultReason
 */

/**
 * @typedef {object} TrailFault
 * @property {number} line of the checkpoint file, from 1
 * @property {TrailFaultReason} reason
 */

/**
 * The last thing that was signed.
 * @typedef {object} Signed
 * @property {bigint} number
 * @property {string} at
 * @property {string} since when this number was signed first: the signer's word and keys that pass on name it once more
 * @property {string} keyId
 * @property {string | null} provenFrom the first number from which on each event has its own way to a signed root
 */

/**
 * @typedef {object} TrailSource
 * @property {AsyncIterable<string> | Iterable<string>} lines
 * @property {readonly import('./key-ring.mjs').KnownKey[] | null} keys
 * @property {boolean} [sparse] some records are left out: each stands for itself, none is held to the one before
 */

/** Walks the checkpoints beside the events, in one pass over both: neither is ever held whole. */
export class CheckpointTrail {
  /** @param {TrailSource} source */
  constructor({ lines, keys, sparse = false }) {
    this.lines = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]();
    this.ring = new KeyRing(keys);
    this.sparse = sparse;
    this.seals = new Seals();
    this.trees = new Trees(sparse);
    this.line = 0;
    /** @type {import('./checkpoint.mjs').CheckpointRecord | null} the record before */
    this.before = null;
    /** @type {import('./checkpoint.mjs').CheckpointRecord | null} read, and not yet reached by the events */
    this.waiting = null;
    /** @type {TrailFault | null} */
    this.fault = null;
    /** @type {Signed | null} the last checkpoint that agreed with the events */
    this.agreed = null;
  }

  /** Reads the next record into `waiting`; null there at the end or at a fault. */
  async advance() {
    this.waiting = null;
    const { value, done } = await this.lines.next();
    if (done) return;
    this.line += 1;
    const record = parseCheckpoint(value);
    const reason = record === null ? 'FORM' : this.judge(record);
    if (record === null || reason !== null) this.fault = { line: this.line, reason: reason ?? 'FORM' };
    else {
      this.waiting = record;
      this.before = record;
      this.seals.take(record);
    }
  }

  /**
   * @param {import('./checkpoint.mjs').CheckpointRecord} record
   * @returns {TrailFaultReason | null}
   */
  judge(record) {
    const { before } = this;
    if (!this.sparse) {
      const previous = before === null ? FIRST_PREVIOUS : checkpointDigest(before);
      const sequence = before === null ? 1n : BigInt(before.sequence) + 1n;
      const first = before === null && record.type !== 'key';
      if (first || record.previous !== previous || BigInt(record.sequence) !== sequence) return 'SEQUENCE';
    }
    if (before !== null) {
      if (record.logId !== before.logId) return 'OTHER_LOG';
      const step = BigInt(record.number) - BigInt(before.number);
      if (step < 0n || (step === 0n && record.hash !== before.hash)) return 'BACKWARDS';
      if (isBefore(record.signedAt, before.signedAt)) return 'EARLIER';
    }
    return this.ring.take(record) ?? (this.trees.follows(record, before) ? null : 'TREE');
  }

  /**
   * Holds the end of what has left the log against what was signed: it must have been signed itself. Call it before `meet`.
   * @param {import('./follow-chain.mjs').ChainPoint} anchor
   * @returns {Promise<import('./follow-chain.mjs').ChainFault | null>}
   */
  async begin(anchor) {
    const fault = await this.meet(anchor);
    const isSigned = fault === null && (this.fault !== null || this.agreed?.number === anchor.number);
    return isSigned ? null : { number: anchor.number, reason: 'ANCHOR' };
  }

  /**
   * Holds a good event against what was signed. Call it for each event in order.
   * @param {import('./follow-chain.mjs').ChainPoint} point
   * @returns {Promise<import('./follow-chain.mjs').ChainFault | null>}
   */
  async meet(point) {
    await this.reach(point.number);
    if (this.waiting !== null) this.trees.take(point, this.waiting);
    while (this.waiting !== null && BigInt(this.waiting.number) === point.number) {
      if (this.waiting.hash !== point.hash) return this.rewritten();
      if (!this.trees.agrees(this.waiting)) {
        this.fault = { line: this.line, reason: 'TREE' };
        this.waiting = null;
        break;
      }
      this.agree(point.number, this.waiting);
      await this.advance();
    }
    return null;
  }

  /** Reads on to the first record that signs the number, whether or not it signs more. @param {bigint} number */
  async reach(number) {
    while (this.fault === null && (this.waiting === null || BigInt(this.waiting.number) < number)) {
      await this.advance();
      if (this.waiting === null) break;
    }
  }

  /**
   * Holds a record of a file, which proves events of it, against the one at its place.
   * @param {import('./checkpoint.mjs').CheckpointRecord} record
   * @returns {import('./follow-chain.mjs').ChainFault | null}
   */
  confirm(record) {
    if (this.fault !== null || this.waiting?.sequence !== record.sequence) return null;
    if (checkpointDigest(this.waiting) !== checkpointDigest(record)) return this.rewritten();
    this.agree(BigInt(record.number), record);
    return null;
  }

  /**
   * @param {bigint} number
   * @param {import('./checkpoint.mjs').CheckpointRecord} record
   */
  agree(number, { signedAt: at, keyId }) {
    const since = this.agreed?.number === number ? this.agreed.since : at;
    this.agreed = { number, at, since, keyId, provenFrom: this.trees.since };
  }

  /**
   * After the last event: what was signed and is not there any more.
   * @param {import('./follow-chain.mjs').ChainPoint} reached
   * @returns {Promise<import('./follow-chain.mjs').ChainFault | null>}
   */
  async end(reached) {
    const fault = await this.meet(reached);
    if (fault !== null) return fault;
    return this.waiting === null ? null : { number: reached.number + 1n, reason: 'MISSING' };
  }

  /** Reads the records that no event was held against, for what else they say. */
  async finish() {
    do await this.advance();
    while (this.waiting !== null && this.fault === null);
  }

  /** @returns {import('./follow-chain.mjs').ChainFault} the exact event is not to be found, since its later ones were hashed anew */
  rewritten() {
    return { number: (this.agreed?.number ?? 0n) + 1n, reason: 'REWRITTEN' };
  }
}
