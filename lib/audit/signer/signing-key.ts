import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { checkpointPreimage, keyIdOf, type CheckpointRecord } from '../verifier/checkpoint.mjs';

type Content = Omit<CheckpointRecord, 'signature' | 'newSignature'>;

export interface SigningKey {
  keyId: string;
  /** DER (SPKI) in base64. */
  publicKey: string;
  /** Base64. */
  sign: (content: Content) => string;
}

/** Reads a private key in PEM. Throws for anything that is no Ed25519 key, without repeating it. */
export function signingKeyOf(pem: string): SigningKey {
  let key;
  try {
    // A variable of the environment often carries the line ends escaped.
    key = createPrivateKey(pem.replaceAll('\\n', '\n'));
  } catch {
    throw new Error('The signing key is no private key in PEM.');
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error('The signing key must be an Ed25519 key (`openssl genpkey -algorithm ed25519`).');
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    keyId: keyIdOf(spki),
    publicKey: spki.toString('base64'),
    sign: (content) => sign(null, checkpointPreimage(content), key).toString('base64'),
  };
}

export const makeSigningKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** @param newKey of a rotation: the key that follows signs as well */
export function signRecord(key: SigningKey, content: Content, newKey?: SigningKey): CheckpointRecord {
  return { ...content, signature: key.sign(content), newSignature: newKey?.sign(content) ?? null };
}
