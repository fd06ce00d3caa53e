// @ts-check
// The records of the checkpoint file: what is signed, and how one is read. Making signatures is the signer's.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { digits, text } from './fields.mjs';
import { MOST_LEAVES } from './merkle.mjs';

/**
 * `key` begins a file and names its first key · `checkpoint` signs an event · `rotation` passes on to a new key, signed by
 * both · `revocation` says from when on an earlier key's signatures count for nothing · `retirement` lets old events leave.
 * @typedef {'key' | 'checkpoint' | 'rotation' | 'revocation' | 'retirement'} CheckpointType
 */

/**
 * Which events may leave: a range that the signer found whole, old enough and held by exactly this archive.
 * @typedef {object} SealedRange
 * @property {string} first decimal digits
 * @property {string} last
 * @property {string} hash of event `last`
 * @property {string} archive the file's name
 * @property {string} sha256 of the file
 * @property {string} keepDays for how many days events stayed at least when this was signed
 */

/**
 * The tree over the events after the record before, up to the record's own number; of no event where that one signed it already.
 * @typedef {object} SignedTree
 * @property {string} since the first number of this log that any tree covers: from there on each event has its proof
 * @property {string} size how many events, decimal digits
 * @property {string} root
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
 * @property {SealedRange} [retired] of `retirement`, and of no other
 * @property {SignedTree} [tree] of every record but those of before there were trees
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
const RETIRED = /** @type {const} */ (['first', 'last', 'hash', 'archive', 'sha256', 'keepDays']);
const TREE = /** @type {const} */ (['since', 'size', 'root']);
const TYPES = ['key', 'checkpoint', 'rotation', 'revocation', 'retirement'];
const HASH = /^[0-9a-f]{64}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const NUMBER = /^[1-9]\d{0,18}$/;
const FILE_NAME = /^[A-Za-z0-9._-]{1,100}$/;
const DAYS = /^[1-9]\d{0,4}$/;
const SIZE = /^(0|[1-9]\d{0,3})$/;

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
    // Records without them have the bytes that they had before these came; the type tells whether the first are there.
    ...(record.retired === undefined ? [] : RETIRED.map((name) => text(record.retired?.[name] ?? null))),
    ...(record.tree === undefined ? [] : TREE.map((name) => text(record.tree?.[name] ?? null))),
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
export const checkpointLine = (record) =>
  `${JSON.stringify(record, [...MEMBERS, 'retired', ...RETIRED, 'tree', ...TREE])}\n`;

/** The first number that a record's tree covers. @param {{ number: string, tree: SignedTree }} record */
export const firstOf = ({ number, tree }) => BigInt(number) - BigInt(tree.size) + 1n;

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
  const { retired, tree, ...rest } = record;
  if (!hasExactly(rest, MEMBERS) || (record.type === 'retirement') !== 'retired' in record) return false;
  if ('retired' in record && !isSealedRange(retired)) return false;
  if ('tree' in record && !isTree(tree)) return false;
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
 * @param {Record<string, unknown>} value
 * @param {readonly string[]} names
 */
const hasExactly = (value, names) =>
  Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

/** @param {unknown} value */
function isSealedRange(value) {
  if (typeof value !== 'object' || value === null) return false;
  const range = /** @type {Record<string, unknown>} */ (value);
  const forms = [NUMBER, NUMBER, HASH, FILE_NAME, HASH, DAYS];
  return (
    hasExactly(range, RETIRED) &&
    RETIRED.every((name, at) => typeof range[name] === 'string' && forms[at]?.test(range[name]) === true)
  );
}

/** @param {unknown} value */
function isTree(value) {
  if (typeof value !== 'object' || value === null) return false;
  const tree = /** @type {Record<string, unknown>} */ (value);
  const forms = [NUMBER, SIZE, HASH];
  return (
    hasExactly(tree, TREE) &&
    TREE.every((name, at) => typeof tree[name] === 'string' && forms[at]?.test(tree[name]) === true) &&
    Number(tree.size) <= MOST_LEAVES
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
