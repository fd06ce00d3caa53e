/** Standard Webhooks: `whsec_` and base64, in the one way in which the bytes are written. */
const FORM = /^whsec_((?:[A-Za-z0-9+/]{4})+|(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=))$/;
/** Bytes; also by Standard Webhooks. */
const LEAST = 24;
const MOST = 64;
/** Distinct bytes; 24 random ones hold about 23, and fewer than this once in 10^12. */
const VARIETY = 14;

export type WebhookSecretFault = 'FORM' | 'LENGTH' | 'WEAK';

/** Why a secret may not sign deliveries. Bytes that are all printable were typed, not drawn. */
export function webhookSecretFault(secret: string): WebhookSecretFault | null {
  const base64 = FORM.exec(secret)?.[1];
  if (base64 === undefined) return 'FORM';
  const bytes = atob(base64);
  if (bytes.length < LEAST || bytes.length > MOST) return 'LENGTH';
  return new Set(bytes).size < VARIETY || /^[\x20-\x7e]*$/.test(bytes) ? 'WEAK' : null;
}
