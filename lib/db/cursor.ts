import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The sort values of the last row shown, as text: instants keep their microseconds, numbers their digits. */
export type CursorPosition = readonly (string | null)[];

/**
 * What a cursor is good for: the list's name, its sort and filters, and the tenants of the reader.
 * It is authenticated, not carried: a cursor opened under another binding does not open.
 */
export type CursorBinding = readonly string[];

/** Bytes; longer tokens are refused before anything is computed. */
const MAX_TOKEN_LENGTH = 2_048;
const MAC_BYTES = 32;

/** An opaque, URL-safe token for "the rows after this position". */
export function sealCursor(
  position: CursorPosition,
  binding: CursorBinding,
  key: Buffer = cursorKey(),
): string {
  const body = Buffer.from(JSON.stringify(position), 'utf8');
  return Buffer.concat([mac(body, binding, key), body]).toString('base64url');
}

/** The position, or null when the token was not made by `sealCursor` with this binding and key. */
export function openCursor(
  token: string,
  binding: CursorBinding,
  key: Buffer = cursorKey(),
): CursorPosition | null {
  if (token.length > MAX_TOKEN_LENGTH || !/^[A-Za-z0-9_-]+$/.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return null;
  const body = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(body, binding, key))) return null;
  return JSON.parse(body.toString('utf8')) as CursorPosition;
}

function mac(body: Buffer, binding: CursorBinding, key: Buffer): Buffer {
  const hmac = createHmac('sha256', key);
  // Length-prefixed, so that no two bindings share one byte string.
  for (const part of [...binding.map((text) => Buffer.from(text, 'utf8')), body]) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    hmac.update(length).update(part);
  }
  return hmac.digest();
}

/** Derived from FIELD_HASH_KEY, which every process of an installation has; the label keeps the two uses apart. */
function cursorKey(): Buffer {
  const secret = process.env['FIELD_HASH_KEY'];
  if (!secret) throw new Error('FIELD_HASH_KEY is not set: the secret key of field hashes and cursors');
  return Buffer.from(hkdfSync('sha256', secret, '', 'onceover cursor v1', 32));
}
