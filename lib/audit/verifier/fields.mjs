// @ts-check
// How values become bytes under a hash or a signature, in one way for events and checkpoints.

const ABSENT = Buffer.of(0);
const NO_TEXT = Buffer.of(2);
/** Half of a pair: it has no bytes in UTF-8, and would silently get those of U+FFFD. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * A field as absent (0) or present (1, length in 4 bytes, bytes): no two different lists of fields have the same bytes.
 * @param {Uint8Array} bytes
 */
export function present(bytes) {
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/**
 * @param {string | null} value
 * @returns {Buffer}
 */
export function text(value) {
  if (value === null) return ABSENT;
  return LONE_SURROGATE.test(value) ? NO_TEXT : present(Buffer.from(value, 'utf8'));
}

/** @param {string} value hexadecimal digits */
export const digits = (value) => present(Buffer.from(value, 'hex'));
