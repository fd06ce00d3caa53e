// @ts-check
// The records of the checkpoint file: what is signed, and how one is read. Making signatures is the signer's.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { digits, text } from './fields.mjs';

/**
 * `key` begins a file and names its first key · `checkpoint` signs an event · `rotation` passes on to a new key, signed by
 * both · `revocation` says from when on an earlier key's signatures count for nothing.
 * @typedef {'key' | 'checkpoint' | 'rotation' | 'revocation'} CheckpointType
 */

/**
 * One line of the checkpoint file. Each type carries an event's number and hash.
 * @typedef {object} CheckpointRecord
 * @property {CheckpointType} type
 * @property {string} sequence decimal digits; dense from 1
 * @property {string} logId which log: the hash of its event 1
 * @property {string} number of the last event that is signed, decimal digits
 * @property {string} hash of that event
 * @property {string} signedAt UTC with microseconds, by the database's clock
 * @property {string} keyId of the signing key: SHA-256 of its public key's DER
 * @property {string} previous digest of the record before; all zero for the first
 * @property {string | null} newKey DER (SPKI) in base64: of `key` and `rotation`
 * @property {string | null} revokedKeyId
 * @property {string | null} revokedAt
 * @property {string} signature base64
 * @property {string | null} newSignature by the new key: of `rotation`
 */

export const FIRST_PREVIOUS = '0'.repeat(64);

const DOMAIN = Buffer.from('onceover audit checkpoint v1\0', 'utf8');
const MEMBERS = /** @type {const} */ ([
  'type',
  'sequence',
  'logId',
  'number',
  'hash',
  'signedAt',
  'keyId',
  'previous',
  'newKey',
  'revokedKeyId',
  'revokedAt',
  'signature',
  'newSignature',
]);
const TYPES = ['key', 'checkpoint', 'rotation', 'revocation'];
const HASH = /^[0-9a-f]{64}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const NUMBER = /^[1-9]\d{0,18}$/;

/**
 * The bytes under the signatures.
 * @param {Omit<CheckpointRecord, 'signature' | 'newSignature'>} record
 */
export function checkpointPreimage(record) {
  return Buffer.concat([
    DOMAIN,
    text(record.type),
    text(record.sequence),
    digits(record.logId),
    text(record.number),
    digits(record.hash),
    text(record.signedAt),
    digits(record.keyId),
    digits(record.previous),
    text(record.newKey),
    text(record.revokedKeyId),
    text(record.revokedAt),
  ]);
}

/**
 * What the next record carries as `previous`.
 * @param {CheckpointRecord} record
 */
export const checkpointDigest = (record) =>
  createHash('sha256').update(checkpointPreimage(record)).digest('hex');

/** @param {Uint8Array} spki a public key's DER */
export const keyIdOf = (spki) => createHash('sha256').update(spki).digest('hex');

/** @param {CheckpointRecord} record */
export const checkpointLine = (record) => `${JSON.stringify(record, [...MEMBERS])}\n`;

/**
 * The record of a line; null for anything that is none.
 * @param {string} line
 * @returns {CheckpointRecord | null}
 */
export function parseCheckpoint(line) {
  try {
    const value = JSON.parse(line);
    return isCheckpoint(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * @param {unknown} value
 * @returns {value is CheckpointRecord}
 */
export function isCheckpoint(value) {
  if (typeof value !== 'object' || value === null) return false;
  const record = /** @type {Record<string, unknown>} */ (value);
  const names = Object.keys(record);
  if (names.length !== MEMBERS.length || !MEMBERS.every((name) => Object.hasOwn(record, name))) return false;
  const fits = (/** @type {unknown} */ member, /** @type {RegExp} */ form) =>
    typeof member === 'string' && form.test(member);
  const makesKey = record.type === 'key' || record.type === 'rotation';
  const revokes = record.type === 'revocation';
  return (
    TYPES.includes(/** @type {string} */ (record.type)) &&
    fits(record.sequence, NUMBER) &&
    fits(record.number, NUMBER) &&
    [record.logId, record.hash, record.keyId, record.previous].every((member) => fits(member, HASH)) &&
    fits(record.signedAt, INSTANT) &&
    isBase64(record.signature) &&
    (makesKey ? isBase64(record.newKey) : record.newKey === null) &&
    (revokes ? fits(record.revokedKeyId, HASH) : record.revokedKeyId === null) &&
    (revokes ? fits(record.revokedAt, INSTANT) : record.revokedAt === null) &&
    (record.type === 'rotation' ? isBase64(record.newSignature) : record.newSignature === null)
  );
}

/**
 * In the one way in which it is written: the last digit has bits that no byte shows.
 * @param {unknown} value
 */
function isBase64(value) {
  return (
    typeof value === 'string' && value !== '' && Buffer.from(value, 'base64').toString('base64') === value
  );
}

/**
 * @param {Uint8Array} spki
 * @param {CheckpointRecord} record
 * @param {string | null} signature
 */
export function isSigned(spki, record, signature) {
  if (signature === null) return false;
  try {
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
    return (
      key.asymmetricKeyType === 'ed25519' &&
      verify(null, checkpointPreimage(record), key, Buffer.from(signature, 'base64'))
    );
  } catch {
    return false;
  }
}
