// @ts-check
// What people wrote stands beside the chain; an event's body commits to it. So a text can be erased, and nothing else.
import { createHash } from 'node:crypto';
import { digits, text } from './fields.mjs';

/** @typedef {Record<string, { value: string, salt: string }>} AuditTexts by path in the body; salts in hexadecimal */

const DOMAIN = Buffer.from('onceover audit text v1\0', 'utf8');
const SALT = /^[0-9a-f]{64}$/;

/**
 * 64 lower-case hexadecimal digits. The database's own implementation is `review.audit_commitment`.
 * @param {string} path
 * @param {string} salt
 * @param {string} value
 */
export function auditCommitment(path, salt, value) {
  return createHash('sha256')
    .update(Buffer.concat([DOMAIN, text(path), digits(salt), text(value)]))
    .digest('hex');
}

/**
 * @param {unknown} value
 * @returns {value is AuditTexts | null}
 */
export function areTexts(value) {
  if (value === null) return true;
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.values(/** @type {object} */ (value)).every(
    (each) => typeof each?.value === 'string' && typeof each.salt === 'string' && SALT.test(each.salt),
  );
}

/** Holds the texts against the bodies, event by event; what is missing must have been erased by a later event. */
export class TextLedger {
  constructor() {
    /** @type {Set<string>} `NUMBER/PATH`, in order of number */
    this.missing = new Set();
    /** Texts that are not there, whether or not an erasure is on record. */
    this.absent = 0;
  }

  /**
   * @param {import('./event-hash.mjs').AuditRecord} event
   * @returns {import('./follow-chain.mjs').ChainFault | null}
   */
  take(event) {
    const { commitments, erased } = readBody(event);
    const texts = event.texts ?? {};
    const number = BigInt(event.number);
    for (const [path, commitment] of Object.entries(commitments)) {
      const kept = Object.hasOwn(texts, path) ? texts[path] : undefined;
      if (kept === undefined) {
        this.missing.add(`${event.number}/${path}`);
        this.absent += 1;
      } else if (auditCommitment(path, kept.salt, kept.value) !== commitment)
        return { number, reason: 'TEXT' };
    }
    if (Object.keys(texts).some((path) => !Object.hasOwn(commitments, path)))
      return { number, reason: 'TEXT' };
    for (const each of erased) this.missing.delete(each);
    return null;
  }

  /**
   * After the last event of a whole log.
   * @returns {import('./follow-chain.mjs').ChainFault | null}
   */
  end() {
    const [first] = this.missing;
    return first === undefined
      ? null
      : { number: BigInt(first.slice(0, first.indexOf('/'))), reason: 'TEXT' };
  }
}

/**
 * @param {import('./event-hash.mjs').AuditRecord} event
 * @returns {{ commitments: Record<string, unknown>, erased: readonly string[] }}
 */
function readBody({ event, outcome, body }) {
  const erases = event === 'audit.text_erased' && outcome === 'done';
  // Most bodies need no reading.
  if (!erases && !body.includes('"commitments"')) return { commitments: {}, erased: [] };
  const { commitments, texts } = parse(body);
  const isObject = typeof commitments === 'object' && commitments !== null && !Array.isArray(commitments);
  const names = Array.isArray(texts) ? texts.filter((each) => typeof each === 'string') : [];
  return {
    commitments: isObject ? /** @type {Record<string, unknown>} */ (commitments) : {},
    erased: erases ? names : [],
  };
}

/**
 * @param {string} body
 * @returns {Record<string, unknown>}
 */
function parse(body) {
  try {
    const value = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
