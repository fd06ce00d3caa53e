/**
 * How one field of the found thing is held against the execution's own. Tolerance is a decimal such as `0.01`; with
 * `decimals` the found number counts that many places behind the point.
 */
export type FieldRule =
  | { kind: 'exact' }
  | { kind: 'caseless' }
  | { kind: 'contains' }
  | { kind: 'numeric'; tolerance: string; decimals?: number };

/** One line of a comparison; `agrees` null means that one side was not there to compare, which is never agreement. */
export interface FieldComparison {
  field: string;
  expected: string | null;
  found: string | null;
  agrees: boolean | null;
}

/** Characters kept in the record; longer values are still compared whole. */
const SHOWN_LENGTH = 200;

/** Compares one field by its rule. Values are JSON values; objects and arrays cannot be compared. */
export function compareField(
  field: string,
  rule: FieldRule,
  expected: unknown,
  found: unknown,
): FieldComparison {
  const left = asText(expected);
  const right = foundText(rule, left, asText(found));
  return { field, expected: shown(left), found: shown(right), agrees: agree(rule, left, right) };
}

/** What of the found text counts, and is kept: of a longer text only the word that was looked for. */
function foundText(rule: FieldRule, expected: string | null, found: string | null): string | null {
  if (found === null) return null;
  if (rule.kind === 'numeric' && rule.decimals) return withPoint(found, rule.decimals);
  if (rule.kind !== 'contains' || expected === null) return found;
  return hasWord(found, expected) ? expected : '';
}

/** True when the word stands in the text with nothing of a longer word on either side. */
function hasWord(text: string, word: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const around = `${text.slice(0, at).at(-1) ?? ' '}${text[at + word.length] ?? ' '}`;
    if (!/[\p{L}\p{N}_-]/u.test(around)) return true;
  }
  return false;
}

/** A count of the smallest unit as a decimal; null when it is no whole number. */
function withPoint(text: string, decimals: number): string | null {
  const match = /^(-?)(\d{1,30})$/.exec(text);
  if (match === null) return null;
  const digits = (match[2] ?? '').padStart(decimals + 1, '0');
  return `${match[1]}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function agree(rule: FieldRule, left: string | null, right: string | null): boolean | null {
  if (left === null || right === null) return null;
  if (rule.kind === 'exact' || rule.kind === 'contains') return left === right;
  if (rule.kind === 'caseless') return asciiLower(left) === asciiLower(right);
  const difference = decimalDistance(left, right);
  const tolerance = parseDecimal(rule.tolerance);
  if (difference === null || tolerance === null) return null;
  return compareDecimals(difference, tolerance) <= 0;
}

/** Lower case of A to Z alone: every other letter has a case only in some language. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** True: all agree. False: one disagrees. Null: none disagrees, and at least one could not be compared. */
export function combine(comparisons: readonly FieldComparison[]): boolean | null {
  if (comparisons.some((each) => each.agrees === false)) return false;
  return comparisons.every((each) => each.agrees === true) ? true : null;
}

/**
 * The text of a scalar, or null when it cannot be compared for certain. A number beyond 2^53 has already lost
 * digits in JSON.parse, so it proves nothing.
 */
export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
    return String(value);
  return null;
}

/** What of a value is kept; instructions and noise of others can be long. */
export function shown(text: string | null): string | null {
  return text !== null && text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

interface Decimal {
  digits: bigint;
  /** Digits after the point. */
  scale: number;
}

const DECIMAL = /^(-?)(\d{1,30})(?:\.(\d{1,18}))?$/;

function parseDecimal(text: string): Decimal | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const fraction = match[3] ?? '';
  const digits = BigInt(`${match[2]}${fraction}`);
  return { digits: match[1] === '-' ? -digits : digits, scale: fraction.length };
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  const raise = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own);
  return [raise(a), raise(b), scale];
}

function compareDecimals(a: Decimal, b: Decimal): number {
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function decimalDistance(left: string, right: string): Decimal | null {
  const a = parseDecimal(left);
  const b = parseDecimal(right);
  if (a === null || b === null) return null;
  const [x, y, scale] = aligned(a, b);
  return { digits: x > y ? x - y : y - x, scale };
}

/** True or false as the text is a number above the other; null when it is no number. */
export function isAbove(text: string, limit: string): boolean | null {
  const value = parseDecimal(text);
  const bound = parseDecimal(limit);
  return value === null || bound === null ? null : compareDecimals(value, bound) > 0;
}

/** True for a tolerance that `numeric` can use: a decimal that is not negative. */
export function isTolerance(text: string): boolean {
  const parsed = parseDecimal(text);
  return parsed !== null && parsed.digits >= 0n;
}
