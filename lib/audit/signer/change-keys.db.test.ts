import { appendFileSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { appendEvents, signerFixture, type SignerFixture } from '@/lib/testing/signer-fixture';
import { checkpointDigest, checkpointLine } from '../verifier/checkpoint.mjs';
import { revokeKey, rotateKey } from './change-keys';
import { signHead } from './sign-head';
import { makeSigningKey, signingKeyOf, signRecord } from './signing-key';

let db: TestDatabase;
let fixture: SignerFixture;
beforeEach(async () => {
  db = await testDatabase();
  fixture = signerFixture(db);
});
afterEach(async () => {
  fixture.remove();
  await db.drop();
});

describe('the signer’s keys', () => {
  beforeEach(async () => {
    await appendEvents(db, 3);
    await fixture.sign();
  });
  const later = () => signingKeyOf(makeSigningKey());

  it('R-087l AU-09 a rotation is an event, signed by both keys; old checkpoints hold by the old key', async () => {
    const [old, next] = [fixture.signer.key, later()];
    expect(await rotateKey(fixture.signer, next)).toMatchObject({
      record: { type: 'rotation', number: '4', keyId: old.keyId, newKey: next.publicKey },
    });
    const { rows } = await db
      .pool('app')
      .query<{ event: string; actor_id: string; body: string }>(
        'select event, actor_id, body from review.audit_events where number = 4',
      );
    expect(rows[0]).toMatchObject({ event: 'audit.key_rotated', actor_id: 'system:signer' });
    expect(JSON.parse(rows[0]?.body ?? '')).toEqual({ keyId: old.keyId, newKeyId: next.keyId });
    await appendEvents(db, 1);
    expect(await fixture.sign()).toMatchObject({ alarm: { code: 'KEY_NOT_CURRENT' } });
    expect(await signHead({ ...fixture.signer, key: next })).toMatchObject({
      record: { number: '5', keyId: next.keyId },
    });
    const trusted = [{ keyId: old.keyId, publicKey: old.publicKey, revokedAt: null }];
    expect(await fixture.verify(trusted)).toMatchObject({
      kind: 'verified',
      signed: { number: 5n, keyId: next.keyId },
    });
  });

  it('R-087l a rotation that was broken off is finished with one event', async () => {
    const next = later();
    await rotateKey(fixture.signer, next);
    await db
      .pool('signer')
      .query(
        `select review.record_key_change('audit.key_rotated', operation_id, '{}') from review.audit_events where number = 4`,
      );
    const { rows } = await db
      .pool('app')
      .query(`select from review.audit_events where event = 'audit.key_rotated'`);
    expect(rows).toHaveLength(1);
  });

  it('R-087l AU-09 after its revocation an old key signs nothing, whatever date it writes', async () => {
    const [old, next] = [fixture.signer.key, later()];
    await rotateKey(fixture.signer, next);
    const signer = { ...fixture.signer, key: next };
    await expect(revokeKey(signer, next.keyId, '2026-12-01T00:00:00.000000Z')).rejects.toThrow('present key');
    await expect(revokeKey(signer, 'f'.repeat(64), '2026-12-01T00:00:00.000000Z')).rejects.toThrow(
      'No such key',
    );
    const revokedAt = '2026-12-01T00:00:00.000000Z';
    expect(await revokeKey(signer, old.keyId, revokedAt)).toMatchObject({
      record: { type: 'revocation', revokedKeyId: old.keyId, number: '5' },
    });
    expect(await fixture.verify()).toMatchObject({ kind: 'verified', signed: { number: 5n } });
    const keys = JSON.parse(readFileSync(signer.files.publicKeys, 'utf8')) as {
      keyId: string;
      revokedAt: string | null;
    }[];
    expect(keys).toEqual([
      expect.objectContaining({ keyId: old.keyId, revokedAt }),
      expect.objectContaining({ keyId: next.keyId, revokedAt: null }),
    ]);

    const last = fixture.records().at(-1)!;
    const { signature: _, newSignature: __, ...content } = last;
    const late = signRecord(old, {
      ...content,
      type: 'checkpoint',
      sequence: String(Number(last.sequence) + 1),
      previous: checkpointDigest(last),
      keyId: old.keyId,
      revokedKeyId: null,
      revokedAt: null,
      signedAt: '2026-12-02T00:00:00.000000Z',
    });
    appendFileSync(signer.files.checkpoints, checkpointLine(late));
    expect(await fixture.verify()).toMatchObject({ kind: 'distrusted', fault: { reason: 'KEY_RETIRED' } });
  });

  it('R-087l a key that nothing vouches for is not believed', async () => {
    const stranger = later();
    const trusted = [{ keyId: stranger.keyId, publicKey: stranger.publicKey, revokedAt: null }];
    expect(await fixture.verify(trusted)).toMatchObject({
      kind: 'distrusted',
      fault: { line: 1, reason: 'KEY_UNKNOWN' },
    });
  });

  it('R-087l takes Ed25519 keys alone, and never repeats what it was given', () => {
    expect(() => signingKeyOf('secret words')).toThrow('no private key');
    expect(signingKeyOf(fixture.pem.replaceAll('\n', '\\n')).keyId).toBe(fixture.signer.key.keyId);
  });
});
