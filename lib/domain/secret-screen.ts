/** What a person's text must not hold (R-078). */
export type SecretKind = 'PASSWORD' | 'TOKEN' | 'PRIVATE_KEY' | 'CARD_NUMBER';

/**
 * The kinds of secrets that a text seems to hold; empty when it may be kept. Used for rationales, comments and
 * manual evidence, so it errs towards refusing and says which kind, never which characters.
 * Every pattern runs in linear time.
 */
export function findSecrets(text: string): SecretKind[] {
  const kinds: SecretKind[] = [];
  if (hasPassword(text)) kinds.push('PASSWORD');
  if (TOKEN_FORMS.some((form) => form.test(text))) kinds.push('TOKEN');
  if (/-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/.test(text)) kinds.push('PRIVATE_KEY');
  if (hasCardNumber(text)) kinds.push('CARD_NUMBER');
  return kinds;
}

const TOKEN_FORMS: readonly RegExp[] = [
  /\bbearer\s{1,4}[A-Za-z0-9._~+/-]{16}/i,
  /\bbasic\s{1,4}[A-Za-z0-9+/]{16}/i,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\./,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bAIza[0-9A-Za-z_-]{30}/,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20}/,
  /\bgithub_pat_[A-Za-z0-9_]{20}/,
  /\bxox[abeprs]-[A-Za-z0-9-]{10}/,
  /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10}/,
  /\bsk-[A-Za-z0-9_-]{20}/,
  /\bnpm_[A-Za-z0-9]{30}/,
  /\bwhsec_[A-Za-z0-9+/]{16}/,
  // A word that names a credential, then a value: "api_key=…", "접근 토큰: …".
  /(?:api[-_ ]?key|access[-_ ]?key|client[-_ ]?secret|secret|token|토큰|인증키|비밀키)["']?\s{0,3}[:=]\s{0,3}["']?(?=[!-~]{0,200}\d)[!-~]{8}/i,
];

const PASSWORD_NAMED =
  /(?:passw(?:or)?d|passcode|passphrase|pwd|비밀번호|패스워드|암호)["']?\s{0,3}[:=]\s{0,3}["']?([!-~]{4,200})/gi;
/** "password is hunter2", "비밀번호는 hunter2": only with a digit or sign in it, since words follow here as well. */
const PASSWORD_TOLD =
  /(?:passw(?:or)?d|passcode|passphrase|pwd|비밀번호|패스워드|암호)(?:\s{1,3}is|[은는])\s{1,3}["']?(?=[!-~]{0,60}[\d!@#$%^&+=])[!-~]{4}/i;
/** What is said about passwords rather than what they are. */
const PLAIN_WORDS =
  /^(?:reset|expired|changed|missing|unknown|invalid|required|wrong|none|null|hidden|redacted|removed|[*•x.]+)[.,;)"']*$/i;

function hasPassword(text: string): boolean {
  if (/:\/\/[^\s/?#:@]{1,100}:[^\s/?#@]{1,200}@/.test(text)) return true;
  if (PASSWORD_TOLD.test(text)) return true;
  return [...text.matchAll(PASSWORD_NAMED)].some((match) => !PLAIN_WORDS.test(match[1] ?? ''));
}

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** Digits in the groups in which people write card numbers, not part of a longer word. */
const DIGIT_RUN = /(?<![0-9A-Za-z_])(?<![0-9A-Za-z_]-)\d(?:[ -]?\d){12,18}(?![0-9A-Za-z_]|-\d)/g;
/** Issuer prefixes with the lengths that they use; without them every eighth long order number would be refused. */
const CARD_FORMS =
  /^(?:4\d{12}(?:\d{3})?(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35\d{14}|6\d{15}|9\d{15})$/;

function hasCardNumber(text: string): boolean {
  const withoutIds = text.replace(UUID, ' ');
  return [...withoutIds.matchAll(DIGIT_RUN)].some((match) => {
    const digits = match[0].replaceAll(/[ -]/g, '');
    return CARD_FORMS.test(digits) && passesLuhn(digits);
  });
}

/** ISO/IEC 7812-1, annex B: every second digit from the right counts double. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighed = index % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}
