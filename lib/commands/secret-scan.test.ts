import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProducerToken } from '@/lib/ledger/producer-token';
import { findLeaks } from './secret-scan';

const ROOT = path.join(import.meta.dirname, '../..');
const git = (...args: string[]) =>
  spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e9 }).stdout;

/** What tests of the screen for secrets use: a documentation's own example, and the alphabet. */
const EXAMPLES = ['a cloud key: AKIAIOSFODNN7EXA…', 'a code host’s token: ghp_abcdefghijkl…'];

describe('SC-05 a scan for secrets', () => {
  it('SC-05 finds what looks like one', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const random = 'q7Zt0LmX2vB9sKd4HnW8yRjP5cGf1UaE';
    for (const text of [
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      makeProducerToken().token,
      `$argon2id$v=19$m=19456,t=2,p=1$${random}$${random}`,
      `NEXTAUTH_SECRET=${random}`,
      `ghp_${random}abcd`,
    ])
      expect(findLeaks(`before ${text} after`), text).toHaveLength(1);
  });

  it('SC-05 leaves names, examples and placeholders alone', () => {
    for (const text of [
      'NEXTAUTH_SECRET=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      `oo_live_${'a'.repeat(43)}`,
      'FIELD_HASH_KEY="$(openssl rand -base64 32)"',
      '-----BEGIN PRIVATE KEY-----\n…',
    ])
      expect(findLeaks(text), text).toEqual([]);
  });

  it('SC-05 finds nothing in the repository, in no version of it', () => {
    const history = git('log', '-p', '--all');
    expect(history.length, 'a checkout of git').toBeGreaterThan(1_000);
    expect([...new Set(findLeaks(history))].filter((leak) => !EXAMPLES.includes(leak))).toEqual([]);
  });
});
