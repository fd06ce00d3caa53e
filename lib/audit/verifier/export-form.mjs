// @ts-check
// The lines of an exported file or an archive, and what they say.
import { CHAIN_START } from './follow-chain.mjs';
import { isInclusion } from './inclusion.mjs';
import { areTexts } from './texts.mjs';

/** @typedef {import('./event-hash.mjs').AuditRecord} AuditRecord */

/** The first line's `format`. */
export const EXPORT_FORMAT = 'onceover audit export 3';
/** Events of the files before carry no way to a root, and of the first ones their texts in the bodies. */
const FORMATS = [EXPORT_FORMAT, 'onceover audit export 2', 'onceover audit export 1'];

/**
 * What a file says of itself. Nobody signs it: it is believed where the lines that are signed say the same.
 * @typedef {object} ExportHeader
 * @property {import('./follow-chain.mjs').ChainPoint & { archive?: string, sha256?: string }} after the last event that had left
 *   the log, with its archive; of an archive: the one before it
 * @property {{ first: bigint, last: bigint } | null} archived which numbers the file is the archive of; null for an export
 * @property {bigint | null} upTo the number of the export's own event, which a view without a filter ends with; null where not said
 * @property {boolean} filtered
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
  const point = isPoint ? { ...after, number: BigInt(after.number) } : CHAIN_START;
  const upTo = fits(value.upTo, NUMBER) ? BigInt(value.upTo) : null;
  const filtered = Object.values(value.filter ?? {}).some((each) => (each?.length ?? 0) > 0);
  if (!archive) return { after: point, archived: null, upTo, filtered };
  if (!fits(archive.first, NUMBER) || !fits(archive.last, NUMBER)) return null;
  const archived = { first: BigInt(archive.first), last: BigInt(archive.last) };
  return archived.first === point.number + 1n
    ? { after: point, archived, upTo: null, filtered: false }
    : null;
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
    Object.keys(value).length ===
      MEMBERS.length + ['texts', 'inclusion'].filter((name) => name in value).length &&
    areTexts(value.texts ?? null) &&
    isInclusion(value.inclusion ?? null) &&
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
