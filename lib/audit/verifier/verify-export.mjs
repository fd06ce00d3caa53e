// @ts-check
import { isCheckpoint } from './checkpoint.mjs';
import { auditHash } from './event-hash.mjs';
import { CHAIN_START } from './follow-chain.mjs';
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
 * @property {bigint} after the last number that had left the log when the file was made; 0 for none
 * @property {boolean} complete every number after that is there
 * @property {boolean} archived it is the archive of retired events: the whole of what its first line says
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
  /** @param {ExportHeader} header */
  constructor({ after, archived }) {
    this.after = after;
    this.archived = archived;
    this.events = 0;
    this.links = 0;
    this.signed = 0;
    /** @type {bigint | null} */
    this.first = null;
    /** @type {import('./follow-chain.mjs').ChainPoint} */
    this.at = after;
    /** Of the events at hand: since when each leads to the next, and none of them is signed yet. */
    this.unsignedFrom = after.number + 1n;
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
    const before = this.at;
    if (number <= before.number) return { number, reason: 'UNEXPECTED' };
    if (auditHash(event) !== event.hash) return { number, reason: 'CHANGED' };
    if (before.number + 1n === number) {
      if (event.previousHash !== before.hash) return { number, reason: 'UNLINKED' };
      if (this.events > 0) this.links += 1;
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
    if (BigInt(record.number) !== this.at.number) return null;
    if (record.hash !== this.at.hash) return { number: this.unsignedFrom, reason: 'REWRITTEN' };
    this.signed += Number(this.at.number - this.unsignedFrom + 1n);
    this.unsignedFrom = this.at.number + 1n;
    this.keyId = record.keyId;
    return null;
  }

  /** @returns {ExportProof} */
  proof() {
    const { events, links, signed, first, keyId, archived } = this;
    const after = this.after.number;
    const last = events === 0 ? null : this.at.number;
    const complete = first === after + 1n && last === after + BigInt(events);
    const { absent } = this.texts;
    return {
      events,
      links,
      signed,
      first,
      last,
      after,
      complete,
      archived: archived !== null,
      absent,
      keyId,
    };
  }
}

/**
 * Verifies an exported file (JSON Lines) from its own bytes.
 * @param {AsyncIterable<string> | Iterable<string>} lines
 * @param {readonly import('./key-ring.mjs').KnownKey[] | null} keys null: the keys are believed as the file names them
 * @param {import('./checkpoint-trail.mjs').CheckpointTrail | null} [trail] published checkpoints to hold its events against as well
 * @returns {Promise<ExportVerification>}
 */
export async function verifyExport(lines, keys, trail = null) {
  /** @type {Reading | null} */
  let reading = null;
  const ring = new KeyRing(keys);
  let line = 0;
  let ended = false;
  for await (const each of lines) {
    line += 1;
    const value = parseLine(each);
    if (reading === null) {
      const header = readHeader(value);
      if (header === null) return { kind: 'unreadable', line, reason: 'HEADER' };
      reading = new Reading(header);
      continue;
    }
    if (value === null || ended) return { kind: 'unreadable', line, reason: 'FORM' };
    if (value.type === 'end') {
      if (value.events !== reading.events) return { kind: 'unreadable', line, reason: 'CUT' };
      ended = true;
    } else if (value.type === 'event') {
      if (!isEvent(value)) return { kind: 'unreadable', line, reason: 'FORM' };
      const fault = reading.take(value) ?? (await trail?.meet(reading.at)) ?? null;
      if (fault !== null) return { kind: 'broken', fault };
    } else {
      if (!isCheckpoint(value)) return { kind: 'unreadable', line, reason: 'FORM' };
      const reason = ring.take(value);
      if (reason !== null) return { kind: 'distrusted', line, reason };
      const fault = reading.sign(value);
      if (fault !== null) return { kind: 'broken', fault };
    }
  }
  if (reading === null || !ended) return { kind: 'unreadable', line: line + 1, reason: 'CUT' };
  const proof = reading.proof();
  const { archived } = reading;
  if (archived !== null && (!proof.complete || proof.last !== archived.last))
    return { kind: 'unreadable', line, reason: 'CUT' };
  // Only where every event is there, each erasure is as well; in an archive, not those that came later.
  const fault = proof.complete && archived === null ? reading.texts.end() : null;
  return fault === null ? { kind: 'verified', proof } : { kind: 'broken', fault };
}

/**
 * @typedef {object} ExportHeader
 * @property {import('./follow-chain.mjs').ChainPoint} after the last event that had left the log; of an archive: the one before it
 * @property {{ first: bigint, last: bigint } | null} archived which numbers the file is the archive of; null for an export
 */

const NUMBER = /^[1-9]\d{0,18}$/;
const HASH = /^[0-9a-f]{64}$/;

/**
 * @param {unknown} member
 * @param {RegExp} form
 */
const fits = (member, form) => typeof member === 'string' && form.test(member);

/**
 * @param {Record<string, any> | null} value
 * @returns {ExportHeader | null}
 */
export function readHeader(value) {
  if (value?.type !== 'export' || !FORMATS.includes(value.format)) return null;
  const { after, archive } = value;
  const isPoint = after && fits(after.number, NUMBER) && fits(after.hash, HASH);
  if (after && !isPoint) return null;
  const point = isPoint ? { number: BigInt(after.number), hash: after.hash } : CHAIN_START;
  if (!archive) return { after: point, archived: null };
  if (!fits(archive.first, NUMBER) || !fits(archive.last, NUMBER)) return null;
  const archived = { first: BigInt(archive.first), last: BigInt(archive.last) };
  return archived.first === point.number + 1n ? { after: point, archived } : null;
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
export function isEvent(value) {
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
export function parseLine(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
