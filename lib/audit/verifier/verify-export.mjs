// @ts-check
import { isCheckpoint } from './checkpoint.mjs';
import { auditHash, GENESIS_HASH } from './event-hash.mjs';
import { KeyRing } from './key-ring.mjs';
import { areTexts, TextLedger } from './texts.mjs';

/** The first line's `format`. */
export const EXPORT_FORMAT = 'onceover audit export 2';
/** Files of before carry their texts in the bodies. */
const FORMATS = [EXPORT_FORMAT, 'onceover audit export 1'];

/**
 * What an exported file alone proves. `events` are each what was hashed · `links` of them carry the hash of the event that
 * stands before them in the file · `signed` of them lead, link by link, to an event that was signed.
 * @typedef {object} ExportProof
 * @property {number} events
 * @property {number} links
 * @property {number} signed
 * @property {bigint | null} first
 * @property {bigint | null} last
 * @property {boolean} complete every number from 1 on is there
 * @property {number} absent texts that the events commit to and that are not in the file
 * @property {string | null} keyId of the last checkpoint that agreed
 */

/**
 * @typedef {{ kind: 'verified', proof: ExportProof }
 *   | { kind: 'broken', fault: import('./follow-chain.mjs').ChainFault }
 *   | { kind: 'distrusted', line: number, reason: import('./key-ring.mjs').KeyFaultReason }
 *   | { kind: 'unreadable', line: number, reason: 'HEADER' | 'FORM' | 'CUT' }} ExportVerification
 */

/** @typedef {import('./event-hash.mjs').AuditRecord} AuditRecord */

/** What has been read of an export so far. */
class Reading {
  constructor() {
    this.events = 0;
    this.links = 0;
    this.signed = 0;
    /** @type {bigint | null} */
    this.first = null;
    /** @type {{ number: bigint, hash: string } | null} */
    this.at = null;
    /** Of the events at hand: since when each leads to the next, and none of them is signed yet. */
    this.unsignedFrom = 1n;
    /** @type {string | null} */
    this.keyId = null;
    this.texts = new TextLedger();
  }

  /**
   * @param {AuditRecord} event
   * @returns {import('./follow-chain.mjs').ChainFault | null}
   */
  take(event) {
    const number = BigInt(event.number);
    if (this.at !== null && number <= this.at.number) return { number, reason: 'UNEXPECTED' };
    if (auditHash(event) !== event.hash) return { number, reason: 'CHANGED' };
    const before = number === 1n ? { number: 0n, hash: GENESIS_HASH } : this.at;
    if (before !== null && before.number + 1n === number) {
      if (event.previousHash !== before.hash) return { number, reason: 'UNLINKED' };
      if (number > 1n) this.links += 1;
    } else {
      this.unsignedFrom = number;
    }
    const fault = this.texts.take(event);
    if (fault !== null) return fault;
    this.first ??= number;
    this.events += 1;
    this.at = { number, hash: event.hash };
    return null;
  }

  /**
   * @param {import('./checkpoint.mjs').CheckpointRecord} record
   * @returns {import('./follow-chain.mjs').ChainFault | null}
   */
  sign(record) {
    if (this.at === null || BigInt(record.number) !== this.at.number) return null;
    if (record.hash !== this.at.hash) return { number: this.unsignedFrom, reason: 'REWRITTEN' };
    this.signed += Number(this.at.number - this.unsignedFrom + 1n);
    this.unsignedFrom = this.at.number + 1n;
    this.keyId = record.keyId;
    return null;
  }

  /** @returns {ExportProof} */
  proof() {
    const { events, links, signed, first, keyId } = this;
    const last = this.at?.number ?? null;
    const complete = first === 1n && last === BigInt(events);
    return { events, links, signed, first, last, complete, absent: this.texts.absent, keyId };
  }
}

/**
 * Verifies an exported file (JSON Lines) from its own bytes.
 * @param {AsyncIterable<string> | Iterable<string>} lines
 * @param {readonly import('./key-ring.mjs').KnownKey[] | null} keys null: the keys are believed as the file names them
 * @returns {Promise<ExportVerification>}
 */
export async function verifyExport(lines, keys) {
  const reading = new Reading();
  const ring = new KeyRing(keys);
  let line = 0;
  let ended = false;
  for await (const each of lines) {
    line += 1;
    const value = parse(each);
    if (line === 1) {
      if (value?.type !== 'export' || !FORMATS.includes(/** @type {string} */ (value.format)))
        return { kind: 'unreadable', line, reason: 'HEADER' };
      continue;
    }
    if (value === null || ended) return { kind: 'unreadable', line, reason: 'FORM' };
    if (value.type === 'end') {
      if (value.events !== reading.events) return { kind: 'unreadable', line, reason: 'CUT' };
      ended = true;
    } else if (value.type === 'event') {
      if (!isEvent(value)) return { kind: 'unreadable', line, reason: 'FORM' };
      const fault = reading.take(value);
      if (fault !== null) return { kind: 'broken', fault };
    } else {
      if (!isCheckpoint(value)) return { kind: 'unreadable', line, reason: 'FORM' };
      const reason = ring.take(value);
      if (reason !== null) return { kind: 'distrusted', line, reason };
      const fault = reading.sign(value);
      if (fault !== null) return { kind: 'broken', fault };
    }
  }
  if (!ended) return { kind: 'unreadable', line: line + 1, reason: 'CUT' };
  const proof = reading.proof();
  // Only where every event is there, each erasure is as well.
  const fault = proof.complete ? reading.texts.end() : null;
  return fault === null ? { kind: 'verified', proof } : { kind: 'broken', fault };
}

const TEXTS = [
  'eventId',
  'occurredAt',
  'event',
  'outcome',
  'actorKind',
  'actorId',
  'actorName',
  'body',
  'httpRequestId',
  'previousHash',
  'hash',
];
const OPTIONAL = [
  'refusalCode',
  'tenantId',
  'exceptionId',
  'executionId',
  'approvalRequestId',
  'operation',
  'operationId',
  'sourceAddress',
];
const MEMBERS = ['type', 'number', 'actorRoles', ...TEXTS, ...OPTIONAL];

/**
 * @param {Record<string, unknown>} value
 * @returns {value is Record<string, unknown> & AuditRecord}
 */
function isEvent(value) {
  const isText = (/** @type {unknown} */ member) => typeof member === 'string';
  return (
    Object.keys(value).length === MEMBERS.length + ('texts' in value ? 1 : 0) &&
    areTexts(value.texts ?? null) &&
    typeof value.number === 'string' &&
    /^[1-9]\d{0,18}$/.test(value.number) &&
    Array.isArray(value.actorRoles) &&
    value.actorRoles.every(isText) &&
    TEXTS.every((name) => isText(value[name])) &&
    OPTIONAL.every((name) => value[name] === null || isText(value[name]))
  );
}

/**
 * @param {string} line
 * @returns {Record<string, unknown> | null}
 */
function parse(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
