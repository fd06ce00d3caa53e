import { KeyRing, type KnownKey } from '../verifier/key-ring.mjs';
import { parseCheckpoint } from '../verifier/checkpoint.mjs';
import { readLines } from '../verifier/read-lines.mjs';
import type { Signer } from './judge-head';
import { signHead, type Pass } from './sign-head';
import { writeDurably, type SignerFiles } from './signer-files';
import type { SigningKey } from './signing-key';

/** Hands over to a new key: an event in the chain, then a record that both keys sign, over that event. */
export async function rotateKey(signer: Signer, newKey: SigningKey): Promise<Pass> {
  if (newKey.keyId === signer.key.keyId) throw new Error('The new key is the present one.');
  const first = await signUp(signer);
  if (first.kind === 'alarm') return first;
  await recordChange(signer, 'audit.key_rotated', newKey.keyId, {
    keyId: signer.key.keyId,
    newKeyId: newKey.keyId,
  });
  const pass = await signHead(signer, { type: 'rotation', newKey });
  await publishKeys(signer.files);
  return pass;
}

/** From an instant on, nothing that an earlier key signs counts; what it signed before stays good. */
export async function revokeKey(signer: Signer, revokedKeyId: string, revokedAt: string): Promise<Pass> {
  if (revokedKeyId === signer.key.keyId)
    throw new Error('This is the present key: replace it first (--rotate), then revoke it.');
  const known = await knownKeys(signer.files);
  if (!known.some(({ keyId }) => keyId === revokedKeyId))
    throw new Error('No such key has ever signed here.');
  const first = await signUp(signer);
  if (first.kind === 'alarm') return first;
  await recordChange(signer, 'audit.key_revoked', revokedKeyId, { revokedKeyId, revokedAt });
  const pass = await signHead(signer, { type: 'revocation', revokedKeyId, revokedAt });
  await publishKeys(signer.files);
  return pass;
}

/** Writes the public keys anew from what the published file says. */
export async function publishKeys(files: SignerFiles): Promise<void> {
  writeDurably(files.publicKeys, `${JSON.stringify(await knownKeys(files), null, 2)}\n`, 0o644);
}

async function knownKeys(files: SignerFiles): Promise<KnownKey[]> {
  const ring = new KeyRing(null);
  for await (const line of readLines(files.checkpoints)) {
    const record = parseCheckpoint(line);
    if (record !== null) ring.take(record);
  }
  return [...ring.keys].map(([keyId, { spki, revokedAt }]) => ({
    keyId,
    publicKey: spki.toString('base64'),
    revokedAt,
  }));
}

/** Everything up to the head, ends of partitions included: after the change nothing before it can be signed exactly. */
async function signUp(signer: Signer): Promise<Pass> {
  for (;;) {
    const pass = await signHead(signer);
    if (pass.kind !== 'signed' || !pass.more) return pass;
  }
}

/** Once per key, however often the command is repeated after a crash. */
async function recordChange(
  { db }: Signer,
  event: 'audit.key_rotated' | 'audit.key_revoked',
  keyId: string,
  body: Record<string, string>,
): Promise<void> {
  // RFC 9562, version 8: an id made of the key's own digits.
  const operationId = `${keyId.slice(0, 8)}-${keyId.slice(8, 12)}-8${keyId.slice(13, 16)}-8${keyId.slice(17, 20)}-${keyId.slice(20, 32)}`;
  await db.query('select review.record_key_change($1, $2, $3)', [event, operationId, JSON.stringify(body)]);
}
