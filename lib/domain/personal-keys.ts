/** Kinds of personal data that a key is most often made of by mistake. */
export type PersonalKind = 'EMAIL' | 'PHONE' | 'NATIONAL_ID';

// Each pattern is anchored and has no two neighbouring repetitions over one character, so none backtracks.
const EMAIL = /^[^@]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}$/;
const INTERNATIONAL_PHONE = /^\+[1-9](?:[-.()]?\d){6,14}$/;
// Mobile numbers are known by their digits alone; other numbers only by their grouping, for 0-leading order numbers
// are common.
const KOREAN_MOBILE = /^\(?01[016789]\)?[-.]?\d{3,4}[-.]?\d{4}$/;
const KOREAN_LINE = /^\(?0(?:2|[3-6]\d|70|80)\)?[-.]\d{3,4}[-.]\d{4}$/;
const AMERICAN_PHONE = /^(?:\(\d{3}\)|\d{3}[-.])\d{3}[-.]\d{4}$/;
const KOREAN_NATIONAL_ID = /^(\d{2})(\d{2})(\d{2})(-?)([0-9])(\d{6})$/;
const WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];

/** What personal data a key as a whole looks like, or null. A part that looks so is not enough. */
export function looksPersonal(key: string): PersonalKind | null {
  if (EMAIL.test(key)) return 'EMAIL';
  if (isNationalId(key)) return 'NATIONAL_ID';
  if ([INTERNATIONAL_PHONE, KOREAN_MOBILE, KOREAN_LINE, AMERICAN_PHONE].some((form) => form.test(key)))
    return 'PHONE';
  return null;
}

/**
 * Korean resident registration numbers, and those of foreigners. With the dash the form and a real date are enough;
 * thirteen bare digits need the check digit too, or every tenth order number of that length would be refused.
 */
function isNationalId(key: string): boolean {
  const parts = KOREAN_NATIONAL_ID.exec(key);
  if (parts === null) return false;
  const [, , month, day, dash] = parts;
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return false;
  return dash === '-' || hasCheckDigit(key);
}

function hasCheckDigit(digits: string): boolean {
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  const last = Number(digits[12]);
  return last === (11 - (sum % 11)) % 10 || last === (13 - (sum % 11)) % 10;
}
