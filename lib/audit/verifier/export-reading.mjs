// @ts-check
// An exported file, line by line: events against their hashes, and everything that the file says of itself against what is signed.
import { auditHash } from './event-hash.mjs';
import { Ways } from './inclusion.mjs';
import { Seals } from './seals.mjs';
import { TextLedger } from './texts.mjs';
import { Trees } from './trees.mjs';

/**
 * @typedef {import('./event-hash.mjs').AuditRecord} AuditRecord
 * @typedef {import('./follow-chain.mjs').ChainFault} ChainFault
 */

/**
 * What an exported file alone proves. `events` are each what was hashed · `links` of them carry the hash of the event that
 * stands before them in the file · `signed` of them lead to what was signed: link by link, or `ways` of them by a way of their own.
 * @typedef {object} ExportProof
 * @property {number} events
 * @property {number} links
 * @property {number} signed
 * @property {number} ways
 * @property {bigint | null} first
 * @property {bigint | null} last
 * @property {string} hash of event `last`
 * @property {bigint} after the last number that had left the log when the file was made; 0 for none
 * @property {boolean} complete every number after that is there, up to the one that the file says it goes to
 * @property {bigint} upTo the number that the file says it goes to, and at least its last
 * @property {bigint} missing how many numbers up to that are not there
 * @property {bigint} checkpointAt the greatest number that a checkpoint of the file is about; 0 for none
 * @property {boolean} archived it is the archive of retired events: the whole of what its first line says
 * @property {number} absent texts that the events commit to and that are not in the file
 * @property {number} untold of them, those whose erasure no event of the file tells of
 * @property {readonly bigint[]} loose the first numbers that lead to no checkpoint
 * @property {string | null} keyId of the last checkpoint that agreed
 */

/** Numbers that are named one by one at most: memory stays flat. */
const MOST_NAMED = 20;

/** What has been read of an export so far. */
export class Reading {
  /** @param {import('./export-form.mjs').ExportHeader} header */
  constructor(header) {
    this.header = header;
    this.events = 0;
    this.links = 0;
    /** Those that lead link by link to a signed one. */
    this.linked = 0;
    this.ways = new Ways();
    this.trees = new Trees(true);
    /** @type {bigint | null} */
    this.first = null;
    /** @type {import('./follow-chain.mjs').ChainPoint} */
    this.at = header.after;
    /** Of the events at hand: since when each leads to the next, and none of them is signed yet. */
    this.unsignedFrom = header.after.number + 1n;
    /** Of these, how many carry no way to a root, and the last of them. */
    this.bare = { events: 0, last: 0n };
    /** @type {bigint[]} the first numbers that no checkpoint vouches for so far */
    this.loose = [];
    /** The last of all that led nowhere, before those at hand. */
    this.lost = 0n;
    /** @type {string | null} */
    this.keyId = null;
    this.texts = new TextLedger();
    this.seals = new Seals();
    this.seals.watch([header.after.number]);
    /** The greatest number that a checkpoint is about: its event must have come by then. */
    this.told = 0n;
    /** @type {bigint | null} a checkpoint of an event that is not in the file: only the newest may be */
    this.strange = null;
    /** @type {number | null} the line of a checkpoint that came after later events */
    this.late = null;
    /** The numbers at which a checkpoint agreed, of the two that matter. */
    this.agreed = { begin: header.after.number === 0n, last: 0n };
  }

  /**
   * @param {AuditRecord} event
   * @returns {ChainFault | null}
   */
  take(event) {
    const number = BigInt(event.number);
    const before = this.at;
    if (number <= before.number || number <= this.told) return { number, reason: 'UNEXPECTED' };
    if (auditHash(event) !== event.hash) return { number, reason: 'CHANGED' };
    if (before.number + 1n === number) {
      if (event.previousHash !== before.hash) return { number, reason: 'UNLINKED' };
      if (this.events > 0) this.links += 1;
    } else {
      this.unsignedFrom = number;
      if (this.bare.events > 0) this.lost = this.bare.last;
      this.bare = { events: 0, last: 0n };
    }
    const fault = this.texts.take(event);
    if (fault !== null) return fault;
    this.first ??= number;
    this.events += 1;
    this.at = { number, hash: event.hash };
    return this.lead(event);
  }

  /**
   * Keeps how the event at hand says that it leads to a record, or that it does not say so.
   * @param {AuditRecord} event
   * @returns {ChainFault | null}
   */
  lead({ inclusion }) {
    if (inclusion) return unproven(this.ways.take(this.at, inclusion));
    this.bare = { events: this.bare.events + 1, last: this.at.number };
    if (this.loose.length < MOST_NAMED) this.loose.push(this.at.number);
    return null;
  }

  /**
   * @param {import('./checkpoint.mjs').CheckpointRecord} record
   * @param {number} line
   * @returns {ChainFault | null}
   */
  sign(record, line) {
    const number = BigInt(record.number);
    this.seals.take(record);
    const { unproven: wrong, proves } = this.ways.meet(record);
    if (wrong !== null) return unproven(wrong);
    if (proves) this.keyId = record.keyId;
    if (this.strange !== null && record.type === 'checkpoint')
      return { number: this.isDense() ? this.at.number + 1n : this.strange, reason: 'MISSING' };
    if (number > this.told) this.told = number;
    if (number > this.at.number && record.type === 'checkpoint' && !proves) this.strange = number;
    if (number < this.at.number && number > this.header.after.number) this.late ??= line;
    const fault = number === this.at.number ? this.link(record) : null;
    return fault ?? unproven(this.promised(record));
  }

  /**
   * The record is about the event at hand: so it is about all that lead to it link by link.
   * @param {import('./checkpoint.mjs').CheckpointRecord} record
   * @returns {ChainFault | null}
   */
  link(record) {
    const { number, hash } = this.at;
    if (record.hash !== hash) return { number: this.unsignedFrom, reason: 'REWRITTEN' };
    this.linked += this.bare.events;
    this.bare = { events: 0, last: 0n };
    this.loose = this.loose.filter((each) => each < this.unsignedFrom);
    this.unsignedFrom = number + 1n;
    this.keyId = record.keyId;
    this.agreed.last = number;
    if (number === this.header.after.number) this.agreed.begin = true;
    return null;
  }

  /**
   * Where there are trees, each event that the record covers, or one before it, has its way to a root: one without was stripped of it.
   * @param {import('./checkpoint.mjs').CheckpointRecord} record
   * @returns {bigint | null}
   */
  promised({ number, tree }) {
    if (tree === undefined) return null;
    const last = this.bare.events > 0 ? this.bare.last : this.lost;
    const isMeant = (/** @type {bigint} */ each) => each >= BigInt(tree.since) && each <= BigInt(number);
    return this.loose.find(isMeant) ?? (isMeant(last) ? last : null);
  }

  /** After the last line. @returns {{ proof: ExportProof, fault: ChainFault | 'CUT' | null, late: number | null }} */
  end() {
    const proof = this.proof();
    const { archived } = this.header;
    const open = unproven(this.ways.end());
    if (open !== null) return { proof, fault: open, late: null };
    const fault = archived === null ? this.endOfExport(proof) : this.endOfArchive(proof, archived);
    // Where something is left out, the newest checkpoint may be about what is not there.
    return { proof, fault, late: proof.complete ? this.late : null };
  }

  /**
   * @param {ExportProof} proof
   * @param {{ first: bigint, last: bigint }} archived
   * @returns {ChainFault | 'CUT' | null}
   */
  endOfArchive(proof, archived) {
    if (!proof.complete || proof.last !== archived.last) return 'CUT';
    if (!this.agreed.begin) return { number: archived.first - 1n, reason: 'ANCHOR' };
    return this.agreed.last === archived.last ? null : { number: archived.last, reason: 'ANCHOR' };
  }

  /**
   * @param {ExportProof} proof
   * @returns {ChainFault | null}
   */
  endOfExport({ complete, events }) {
    const { after, upTo, filtered } = this.header;
    if (events > 0 && after.number > 0n && !this.isSealed())
      return { number: after.number, reason: 'ANCHOR' };
    const last = this.at.number;
    // A view without a filter holds its own event, and no checkpoint is about what came after that.
    const isCut = (upTo !== null && !filtered && last !== upTo) || this.told > (upTo ?? last);
    if (isCut && (upTo !== null || complete)) return { number: last + 1n, reason: 'MISSING' };
    // Only where every event is there, each erasure is as well.
    return complete ? this.texts.end() : null;
  }

  /** Whether no number was left out so far. */
  isDense() {
    return this.at.number === this.header.after.number + BigInt(this.events);
  }

  /** Whether the signer let everything leave that the file says had left. */
  isSealed() {
    const { number: last, hash, archive = '', sha256 = '' } = this.header.after;
    return this.seals.holds({ last, hash, archive, sha256 });
  }

  /** @returns {ExportProof} */
  proof() {
    const { events, links, first, keyId, loose, header, texts } = this;
    const ways = this.ways.proven;
    const signed = this.linked + ways;
    const after = header.after.number;
    const last = events === 0 ? null : this.at.number;
    const upTo = header.upTo !== null && header.upTo > this.at.number ? header.upTo : this.at.number;
    return {
      ...{ events, links, signed, ways, first, last, after, keyId, loose },
      hash: this.at.hash,
      upTo,
      missing: upTo - after - BigInt(events),
      checkpointAt: this.told,
      complete: events > 0 && this.isDense() && (header.upTo === null || header.upTo === last),
      archived: header.archived !== null,
      absent: texts.absent,
      untold: texts.missing.size,
    };
  }
}

/**
 * @param {bigint | null} number
 * @returns {ChainFault | null}
 */
const unproven = (number) => (number === null ? null : { number, reason: 'PROOF' });
