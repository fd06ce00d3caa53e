// Secrets that were left lying in texts: by their own marks, so that a scan of a whole history finds few others.
const MARKS: readonly [string, RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[A-Za-z0-9+/]{40}/g],
  ['a producer token', /\boo_live_[A-Za-z0-9_-]{43}\b/g],
  ['a password hash', /\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{16,}\$[A-Za-z0-9+/]{20,}/g],
  ['a cloud key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['a code host’s token', /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40,}|glpat-[\w-]{20})\b/g],
  ['a registry’s token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['a chat’s or payment’s token', /\b(?:xox[abprs]-[\w-]{20,}|sk_live_[A-Za-z0-9]{20,})\b/g],
  ['a signed token', /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20,}/g],
  [
    'a setting with its secret',
    /\b(?:NEXTAUTH_SECRET|FIELD_HASH_KEY|SECRET_[A-Z_]+|[A-Z_]*PASSWORD)=["']?[A-Za-z0-9+/_-]{24,}/g,
  ],
];

/** Fewer different characters than random text has: an example, not a secret. */
const VARIETY = 12;

/** What looks like a secret, by kind and beginning. */
export function findLeaks(text: string): string[] {
  return MARKS.flatMap(([kind, mark]) =>
    [...text.matchAll(mark)]
      .map(([found]) => found)
      .filter((found) => new Set(found.slice(-24)).size >= VARIETY)
      .map((found) => `${kind}: ${found.slice(0, 16)}…`),
  );
}
