// ASCII after folding: Cyrillic and other look-alikes, zero-width characters and controls cannot appear in it.
const FORM = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;
/** Characters; RFC 5321 allows no longer path. */
const MAX_LENGTH = 254;

/**
 * The one identity behind an e-mail address as typed: NFKC (full-width forms), lower case, without surrounding blanks and
 * without the domain's final dot. Null for what is no address or not ASCII after folding, so that a look-alike never
 * resolves to anybody.
 */
export function canonicalEmail(typed: string): string | null {
  // Folding can lengthen a text; bounding first keeps the work bounded.
  if (typed.length > MAX_LENGTH) return null;
  const folded = typed.normalize('NFKC').trim().toLowerCase().replace(/\.$/, '');
  return folded.length <= MAX_LENGTH && FORM.test(folded) ? folded : null;
}

/**
 * The same for an address that a provider vouches for, without folding: who owns the full-width spelling of an address at
 * the provider need not own the plain one. Only the case of plain ASCII is ours to ignore.
 */
export function vouchedEmail(given: unknown): string | null {
  if (typeof given !== 'string' || given.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(given)) return null;
  const lower = given.toLowerCase();
  return FORM.test(lower) ? lower : null;
}
