import { readPointer } from './json-pointer';

/** What an execution was about, from the fields that the policy keeps in clear. */
export interface Amount {
  /** Decimal digits exactly as kept; never a float. */
  value: string;
  /** ISO 4217; null when the policy names none. */
  currency: string | null;
}

const DECIMAL = /^-?\d{1,30}(\.\d{1,12})?$/;

/**
 * The value at stake: the policy's value field (a JSON pointer) out of the kept display fields, which are kept under
 * their pointers. Null when the policy names no value field, the field is absent, or it is no plain decimal.
 */
export function amountOf(
  displayFields: Readonly<Record<string, unknown>> | null,
  valueField: string | null,
  currency: string | null,
): Amount | null {
  if (displayFields === null || valueField === null) return null;
  const kept = Object.hasOwn(displayFields, valueField)
    ? displayFields[valueField]
    : readPointer(displayFields, valueField);
  const value = typeof kept === 'number' ? String(kept) : kept;
  if (typeof value !== 'string' || !DECIMAL.test(value)) return null;
  return { value, currency: currency !== null && /^[A-Z]{3}$/.test(currency) ? currency : null };
}
