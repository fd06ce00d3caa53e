/** How one field of the found thing is held against the execution's own. Tolerance is a decimal such as `0.01`. */
export type FieldRule = { kind: 'exact' } | { kind: 'numeric'; tolerance: string };

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
  const right = asText(found);
  return { field, expected: shown(left), found: shown(right), agrees: agree(rule, left, right) };
}

function agree(rule: FieldRule, left: string | null, right: string | null): boolean | null {
  if (left === null || right === null) return null;
  if (rule.kind === 'exact') return left === right;
  const difference = decimalDistance(left, right);
  const tolerance = parseDecimal(rule.tolerance);
  if (difference === null || tolerance === null) return null;
  return compareDecimals(difference, tolerance) <= 0;
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

/** True for a tolerance that `numeric` can use: a decimal that is not negative. */
export function isTolerance(text: string): boolean {
  const parsed = parseDecimal(text);
  return parsed !== null && parsed.digits >= 0n;
}
