import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { looksPersonal, type PersonalKind } from './personal-keys';

/** Characters; an index entry of this length always fits, whatever it compresses to (B-70). */
const MAX_KEY_LENGTH = 255;
const MAX_OPERATION_LENGTH = 128;

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

export type KeyFault =
  'EMPTY' | 'TOO_LONG' | 'NOT_VISIBLE_ASCII' | 'REPEATED' | 'MALFORMED_STRING' | `LOOKS_LIKE_${PersonalKind}`;

export type KeyReading =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly code: 'IDEMPOTENCY_KEY_MISSING' }
  | { readonly ok: false; readonly code: 'IDEMPOTENCY_KEY_INVALID'; readonly fault: KeyFault };

/** What is wrong with a key, or null. Keys are compared byte for byte: nothing is trimmed or folded. */
export function keyFault(key: string, options: { allowPersonal?: boolean } = {}): KeyFault | null {
  if (key === '') return 'EMPTY';
  if (key.length > MAX_KEY_LENGTH) return 'TOO_LONG';
  if (!VISIBLE_ASCII.test(key)) return 'NOT_VISIBLE_ASCII';
  const personal = options.allowPersonal === true ? null : looksPersonal(key);
  return personal === null ? null : `LOOKS_LIKE_${personal}`;
}

/**
 * Reads the `Idempotency-Key` header: an RFC 8941 string (`"abc"`) or the bare key (`abc`), which name the same key.
 * `value` is null when the header is absent and the joined text when it came more than once; a repeated header is
 * malformed even when both lines agree, because the joined value would be another key (B-71).
 */
export function readKeyHeader(value: string | null, options: { allowPersonal?: boolean } = {}): KeyReading {
  if (value === null) return { ok: false, code: 'IDEMPOTENCY_KEY_MISSING' };
  const key = value.startsWith('"') ? unquote(value) : value;
  if (key === null) return invalid('MALFORMED_STRING');
  // A quoted key says where it ends; a bare one with equal parts is the mark of a proxy that joined two lines.
  if (key === value && isRepetition(value)) return invalid('REPEATED');
  const fault = keyFault(key, options);
  return fault === null ? { ok: true, key } : invalid(fault);
}

function invalid(fault: KeyFault): KeyReading {
  return { ok: false, code: 'IDEMPOTENCY_KEY_INVALID', fault };
}

function unquote(value: string): string | null {
  const inner = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(value)?.[1];
  return inner === undefined ? null : inner.replace(/\\(["\\])/g, '$1');
}

function isRepetition(value: string): boolean {
  const parts = value.split(',').map((part) => part.trim());
  return parts.length > 1 && parts[0] !== '' && parts.every((part) => part === parts[0]);
}

/** The key as it is sent: always the string form, which any key survives. */
export function formatKeyHeader(key: string): string {
  return `"${key.replace(/(["\\])/g, '\\$1')}"`;
}

export function isOperation(text: string): boolean {
  return text.length <= MAX_OPERATION_LENGTH && VISIBLE_ASCII.test(text);
}

/** What names a business intent. Nothing of one attempt (its time, a random value, a model's words) has a place here. */
export interface KeySource {
  readonly tenant: string;
  readonly operation: string;
  /** The thing the effect is about, e.g. `order/2026-1129`. */
  readonly businessObject: string;
  /** Version of the rule that decides what counts as the same intent, e.g. `1`. */
  readonly ruleVersion: string;
}

export interface StepKeySource {
  readonly tenant?: string;
  readonly workflowId: string;
  readonly step: string;
}

/**
 * The key of a business intent: `k1-` and the SHA-256, in hex, of the label `onceover/key/1` and the four
 * texts, each as UTF-8 and preceded by its length in bytes (4 bytes, big-endian). The same in every process and
 * language; reveals none of its parts.
 */
export function deriveKey(source: KeySource): string {
  const { tenant, operation, businessObject, ruleVersion, ...rest } = source;
  refuseOthers(rest);
  return `k1-${digest('onceover/key/1', [tenant, operation, businessObject, ruleVersion])}`;
}

/**
 * The key of one step of a workflow: `s1-` and the SHA-256, in hex, of the label `onceover/step-key/1` and
 * tenant (empty when absent), workflow id and step, encoded as in `deriveKey`.
 */
export function deriveStepKey(source: StepKeySource): string {
  const { tenant, workflowId, step, ...rest } = source;
  refuseOthers(rest);
  if (tenant === '') throw new TypeError('tenant must not be empty; leave it out instead');
  return `s1-${digest('onceover/step-key/1', [tenant ?? '', workflowId, step], tenant === undefined ? 0 : -1)}`;
}

function refuseOthers(rest: object): void {
  const [name] = Object.keys(rest);
  if (name !== undefined) throw new TypeError(`${name} has no place in a key: it is not part of the intent`);
}

function digest(label: string, parts: readonly string[], mayBeEmpty = -1): string {
  parts.forEach((part, index) => {
    if (typeof part !== 'string') throw new TypeError('every part of a key is a text');
    if (part === '' && index !== mayBeEmpty) throw new TypeError('no part of a key may be empty');
    if (/\p{Surrogate}/u.test(part)) throw new TypeError('a part of a key holds a lone surrogate');
  });
  return bytesToHex(sha256(concatBytes(...[label, ...parts].flatMap((part) => sized(utf8ToBytes(part))))));
}

function sized(bytes: Uint8Array): [Uint8Array, Uint8Array] {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return [length, bytes];
}
