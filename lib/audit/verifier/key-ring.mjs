// @ts-check
import { isSigned, keyIdOf } from './checkpoint.mjs';

/**
 * A key that whoever verifies has got from elsewhere.
 * @typedef {object} KnownKey
 * @property {string} keyId
 * @property {string} publicKey DER (SPKI) in base64
 * @property {string | null} revokedAt signatures from this instant on count for nothing
 */

/**
 * `KEY_UNKNOWN` a key that nothing vouches for · `KEY_RETIRED` a key that another has followed · `KEY_REVOKED` a signature
 * dated after its key's revocation · `SIGNATURE` not the key's signature.
 * @typedef {'KEY_UNKNOWN' | 'KEY_RETIRED' | 'KEY_REVOKED' | 'SIGNATURE'} KeyFaultReason
 */

/** The keys that may have signed, learned record by record: each new one is vouched for by the one before. */
export class KeyRing {
  /** @param {readonly KnownKey[] | null} known null: the first key is believed as the file itself names it */
  constructor(known) {
    /** @type {Map<string, { spki: Buffer, revokedAt: string | null }>} */
    this.keys = new Map();
    this.pinned = known !== null;
    for (const { publicKey, revokedAt } of known ?? []) {
      const spki = Buffer.from(publicKey, 'base64');
      this.keys.set(keyIdOf(spki), { spki, revokedAt });
    }
    /** @type {string | null} the key that signs now; null before the first record */
    this.current = null;
  }

  /**
   * Judges who signed the record, and learns from it.
   * @param {import('./checkpoint.mjs').CheckpointRecord} record
   * @returns {KeyFaultReason | null}
   */
  take(record) {
    if (record.type === 'key' && this.current === null) {
      const fault = this.begin(record);
      if (fault !== null) return fault;
    }
    if (this.current === null && this.pinned && this.keys.has(record.keyId)) this.current = record.keyId;
    const key = this.keys.get(record.keyId);
    if (key === undefined) return 'KEY_UNKNOWN';
    if (record.keyId !== this.current) return 'KEY_RETIRED';
    if (key.revokedAt !== null && record.signedAt >= key.revokedAt) return 'KEY_REVOKED';
    if (!isSigned(key.spki, record, record.signature)) return 'SIGNATURE';
    return this.learn(record);
  }

  /**
   * The first key of a file vouches for itself, unless keys were given: then it must be one of them.
   * @param {import('./checkpoint.mjs').CheckpointRecord} record
   * @returns {KeyFaultReason | null}
   */
  begin(record) {
    const spki = Buffer.from(record.newKey ?? '', 'base64');
    const keyId = keyIdOf(spki);
    if (record.keyId !== keyId || (this.pinned && !this.keys.has(keyId))) return 'KEY_UNKNOWN';
    if (!this.keys.has(keyId)) this.keys.set(keyId, { spki, revokedAt: null });
    this.current = keyId;
    return null;
  }

  /**
   * @param {import('./checkpoint.mjs').CheckpointRecord} record
   * @returns {KeyFaultReason | null}
   */
  learn(record) {
    if (record.type === 'rotation') {
      const spki = Buffer.from(record.newKey ?? '', 'base64');
      if (!isSigned(spki, record, record.newSignature)) return 'SIGNATURE';
      const keyId = keyIdOf(spki);
      this.keys.set(keyId, { spki, revokedAt: this.keys.get(keyId)?.revokedAt ?? null });
      this.current = keyId;
    }
    if (record.type === 'revocation' && record.revokedKeyId !== null) {
      const revoked = this.keys.get(record.revokedKeyId);
      if (revoked === undefined) return 'KEY_UNKNOWN';
      revoked.revokedAt = record.revokedAt;
    }
    return null;
  }
}
