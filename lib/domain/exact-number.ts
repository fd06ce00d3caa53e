interface Decimal {
  readonly negative: boolean;
  /** Significant digits without zeros at either end; empty for zero. */
  readonly digits: string;
  /** Power of ten of the last significant digit. */
  readonly exponent: number;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function toDecimal(text: string): Decimal | null {
  const parts = NUMBER.exec(text);
  if (parts === null) return null;
  const [, sign, whole = '', fraction = '', power = '0'] = parts;
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = stripTrailingZeros(all);
  if (digits === '') return { negative: false, digits, exponent: 0 };
  return {
    negative: sign === '-',
    digits,
    exponent: Number(power) - fraction.length + (all.length - digits.length),
  };
}

// Not /0+$/: over a long run of inner zeros that pattern takes quadratic time.
function stripTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end -= 1;
  return digits.slice(0, end);
}

/**
 * Whether the number that a JSON text denotes is the one that its double, printed in the shortest way that reads back
 * (ECMAScript's `String`), denotes. `0.1`, `1.10` and `1e3` pass; `9007199254740993`, `1e400` and a 20-digit `0.1…` do
 * not: a reader would silently see another number.
 */
export function denotesItself(text: string): boolean {
  const double = Number(text);
  if (!Number.isFinite(double)) return false;
  const [given, kept] = [toDecimal(text), toDecimal(String(double))];
  if (given === null || kept === null) return false;
  return given.negative === kept.negative && given.digits === kept.digits && given.exponent === kept.exponent;
}

/**
 * The one spelling of a decimal given as text without exponent (`1.0`, `01.00`, `-0`): no needless zeros, no minus
 * before zero. Null for anything else.
 */
export function normalizeDecimal(text: string): string | null {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return null;
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const [before, after] = [whole.replace(/^0+(?=\d)/, ''), stripTrailingZeros(fraction)];
  const value = after === '' ? before : `${before}.${after}`;
  return text.startsWith('-') && value !== '0' ? `-${value}` : value;
}
