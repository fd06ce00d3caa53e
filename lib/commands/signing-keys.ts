// Where the private key of the audit's checkpoints comes from: AUDIT_SIGNING_KEY, or a private file in DATA_DIR.
import { existsSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { makeSigningKey, signingKeyOf, type SigningKey } from '@/lib/audit/signer/signing-key';
import { keepPrivate } from './data-dir.mjs';

const FILE = 'audit-signing-key.pem';
const NEXT_FILE = 'audit-signing-key.next.pem';

export interface KeyPlace {
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Makes a key in the folder where none is given. */
  make: boolean;
}

/** The present key, read at each pass: a rotation beside a running signer takes effect at its next one. */
export function presentKey({ folder, env, make }: KeyPlace): SigningKey {
  if (env['AUDIT_SIGNING_KEY']) return signingKeyOf(env['AUDIT_SIGNING_KEY']);
  const file = path.join(folder, FILE);
  if (!make && !existsSync(file)) {
    throw new Error(
      `There is no signing key: set AUDIT_SIGNING_KEY (an Ed25519 key in PEM), or let --make-key make ${file}.`,
    );
  }
  return signingKeyOf(keepPrivate(file, makeSigningKey));
}

/** The key that is to follow; a rotation that was broken off goes on with the same one. */
export function nextKey({ folder, env }: KeyPlace): SigningKey {
  if (!env['AUDIT_SIGNING_KEY'])
    return signingKeyOf(keepPrivate(path.join(folder, NEXT_FILE), makeSigningKey));
  if (env['AUDIT_NEXT_SIGNING_KEY']) return signingKeyOf(env['AUDIT_NEXT_SIGNING_KEY']);
  throw new Error('AUDIT_SIGNING_KEY is set, so a rotation needs the new key in AUDIT_NEXT_SIGNING_KEY.');
}

/**
 * After a rotation, also one that was broken off: the new key's file takes the old one's place, which is gone then.
 * @param keyId the key that signs now, by the last record
 */
export function takeNextKey({ folder, env }: KeyPlace, keyId: string): void {
  const next = path.join(folder, NEXT_FILE);
  if (env['AUDIT_SIGNING_KEY'] || !existsSync(next)) return;
  if (signingKeyOf(readFileSync(next, 'utf8')).keyId === keyId) renameSync(next, path.join(folder, FILE));
}
