/** Characters (code points). NIST SP 800-63B asks for at least 8 to be accepted and for 64 to be possible. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX_BYTES = 1_024;

export type PasswordRefusal = 'TOO_SHORT' | 'TOO_LONG' | 'COMMON' | 'CONTAINS_ACCOUNT';

/**
 * Why a password may not be chosen; null when it may. It is judged and later compared exactly as typed: no trimming, no
 * folding, no cut. `common` holds lower-case entries.
 */
export function refusePassword(
  password: string,
  account: string,
  common: ReadonlySet<string>,
): PasswordRefusal | null {
  if (Buffer.byteLength(password, 'utf8') > PASSWORD_MAX_BYTES) return 'TOO_LONG';
  if ([...password].length < PASSWORD_MIN) return 'TOO_SHORT';
  const folded = password.normalize('NFKC').toLowerCase().trim();
  const bare = folded.replaceAll(/[^\p{L}\p{N}]/gu, '').replace(/\d+$/, '');
  if (common.has(folded) || common.has(bare) || isRepetition(folded)) return 'COMMON';
  const name = account.split('@')[0] ?? '';
  if (name.length >= 4 && folded.includes(name.toLowerCase())) return 'CONTAINS_ACCOUNT';
  return null;
}

/** `aaaaaaaaaaaa`, `abcabcabcabc`: long, yet one short piece said often. */
function isRepetition(text: string): boolean {
  for (let size = 1; size <= 4; size += 1) {
    if (
      text ===
      text
        .slice(0, size)
        .repeat(Math.ceil(text.length / size))
        .slice(0, text.length)
    )
      return true;
  }
  return false;
}
