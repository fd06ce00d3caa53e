import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  appendEvents,
  REHASHED,
  signerFixture,
  tamper,
  type SignerFixture,
} from '@/lib/testing/signer-fixture';
import { signerProgram, type SignerProgram } from '@/lib/testing/signer-program';

let db: TestDatabase;
let fixture: SignerFixture;
let start: SignerProgram['start'];
let run: SignerProgram['run'];
let killAll: () => void;
beforeEach(async () => {
  db = await testDatabase();
  fixture = signerFixture(db);
  ({ start, run, killAll } = signerProgram(db, fixture));
});
afterEach(async () => {
  killAll();
  fixture.remove();
  await db.drop();
});

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ format: 'pem', type: 'pkcs8' })
  .toString();
const signedNumber = () =>
  existsSync(fixture.signer.files.checkpoints) ? fixture.records().at(-1)?.number : undefined;
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 10_000, interval: 30 });

describe('npm run audit:signer', () => {
  it('R-087i signs while it runs, and what is left when it is told to stop; its key is nobody else’s to read', async () => {
    await appendEvents(db, 2);
    const { child, output } = start(['--make-key']);
    await eventually(signedNumber).toBe('2');
    await appendEvents(db, 1);
    await eventually(signedNumber).toBe('3');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(statSync(path.join(fixture.folder, 'audit-signing-key.pem')).mode & 0o777).toBe(0o600);
    expect(output()).toContain('"event":"signer_stopped"');
    expect(output()).not.toContain('PRIVATE');
    expect(JSON.parse(readFileSync(fixture.signer.files.publicKeys, 'utf8'))).toHaveLength(1);

    // The last pass is the one at SIGTERM: nothing had been signed by this start before it.
    const slow = start([], { AUDIT_CHECKPOINT_SECONDS: '600' });
    await eventually(slow.output).toContain('signer_started');
    await eventually(
      async () =>
        (await db.pool('app').query('select from review.audit_signer where seen_at is not null')).rowCount,
    ).toBe(1);
    await appendEvents(db, 1);
    slow.child.kill('SIGTERM');
    await once(slow.child, 'exit');
    expect(signedNumber()).toBe('4');
  });

  it('R-087j tells its alarm in the log and by its exit code', async () => {
    await appendEvents(db, 5);
    expect(await run(['--make-key', '--once'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('number 5'),
    });
    await tamper(db, `delete from review.audit_events where number > 3; ${REHASHED}`);
    expect(await run(['--once'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('TRUNCATED. First bad number: 4.'),
    });
    const { child, output } = start([]);
    await eventually(output).toContain('"event":"audit_alarm","alarm":"TRUNCATED","firstBadNumber":"4"');
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('R-087l AU-09 a rotation beside a running signer takes effect at its next pass', async () => {
    await appendEvents(db, 2);
    const { child } = start(['--make-key']);
    await eventually(signedNumber).toBe('2');
    const [first] = fixture.records();
    expect(await run(['--rotate'])).toMatchObject({ code: 0, output: expect.stringContaining('(rotation)') });
    await appendEvents(db, 1);
    await eventually(signedNumber).toBe('4');
    expect(fixture.records().at(-1)?.keyId).not.toBe(first?.keyId);
    expect(existsSync(path.join(fixture.folder, 'audit-signing-key.next.pem'))).toBe(false);
    expect(await run(['--revoke', first?.keyId ?? ''])).toMatchObject({ code: 0 });
    expect(await fixture.verify()).toMatchObject({ kind: 'verified', signed: { number: 5n } });
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('R-087l with a key of the environment it makes none, and a rotation needs the next one', async () => {
    await appendEvents(db, 1);
    expect(await run(['--once'])).toMatchObject({
      code: 2,
      output: expect.stringContaining('no signing key'),
    });
    expect((await run(['--once'], { AUDIT_SIGNING_KEY: fixture.pem })).code).toBe(0);
    expect(existsSync(path.join(fixture.folder, 'audit-signing-key.pem'))).toBe(false);
    expect(await run(['--rotate'], { AUDIT_SIGNING_KEY: fixture.pem })).toMatchObject({
      code: 2,
      output: expect.stringContaining('AUDIT_NEXT_SIGNING_KEY'),
    });
  });

  it.each([
    ['none', {}, 'There is no signing key'],
    ['no key in PEM', { AUDIT_SIGNING_KEY: 'canary-4711' }, 'is no private key in PEM'],
    ['another kind', { AUDIT_SIGNING_KEY: RSA }, 'must be an Ed25519 key'],
  ])('SC-06 does not start without a key that signs, and says so without it: %s', async (_, env, words) => {
    await appendEvents(db, 1);
    const { code, output } = await run([], { NODE_ENV: 'production', ...env });
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(words) });
    expect(output).not.toMatch(/canary|PRIVATE KEY/);
    expect(existsSync(path.join(fixture.folder, 'audit-signing-key.pem'))).toBe(false);
  });
});
