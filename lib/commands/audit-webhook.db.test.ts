import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { appendEvents, signerFixture, type SignerFixture } from '@/lib/testing/signer-fixture';
import { signerProgram, type SignerProgram } from '@/lib/testing/signer-program';
import { believes, webhookReceiver, type WebhookReceiver } from '@/lib/testing/webhook-receiver';

const secret = () => `whsec_${randomBytes(32).toString('base64')}`;
const [PRESENT, NEXT] = [secret(), secret()];
const ONCE = ['--make-key', '--once'];

let db: TestDatabase;
let fixture: SignerFixture;
let receiver: WebhookReceiver;
let signer: SignerProgram;
beforeEach(async () => {
  db = await testDatabase();
  fixture = signerFixture(db);
  signer = signerProgram(db, fixture);
  receiver = await webhookReceiver();
});
afterEach(async () => {
  signer.killAll();
  await receiver.close();
  fixture.remove();
  await db.drop();
});

const env = (change: Record<string, string> = {}) => ({
  AUDIT_CHECKPOINT_WEBHOOK: receiver.url,
  ALLOWED_LOOPBACK_PORTS: receiver.port,
  SECRET_AUDIT_CHECKPOINT_WEBHOOK: PRESENT,
  ...change,
});
const published = () =>
  readFileSync(fixture.signer.files.checkpoints, 'utf8')
    .split(/(?<=\n)/)
    .filter(Boolean);
/** By one receiver that keeps each id once, in the order in which the ids came. */
const kept = () => [
  ...new Map(receiver.arrived.map(({ headers, body }) => [headers['webhook-id'], body])).values(),
];
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 10_000, interval: 30 });

describe('the webhook of the signer', () => {
  it('R-087i PR-09 gets each record, signed, while the signer runs', async () => {
    await appendEvents(db, 1);
    const { child } = signer.start(['--make-key'], env());
    await eventually(() => receiver.arrived.length).toBe(1);
    await appendEvents(db, 1);
    await eventually(() => receiver.arrived.length).toBe(2);
    expect(receiver.arrived.map(({ body }) => body)).toEqual(published());
    expect(receiver.arrived.every((each) => believes(PRESENT, each))).toBe(true);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(receiver.arrived).toHaveLength(2);
  });

  it('PR-09 gets what it refused or could not take again, in order, also after a kill -9', async () => {
    receiver.answer(503);
    await appendEvents(db, 1);
    const { child, output } = signer.start(['--make-key'], env());
    await eventually(() => receiver.arrived.length).toBeGreaterThan(1);
    await appendEvents(db, 1);
    await eventually(() => published().length).toBe(2);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(new Set(receiver.arrived.map(({ body }) => body))).toEqual(new Set([published()[0]]));
    expect(output()).toContain('"event":"checkpoint_not_delivered","error":"status 503"');
    expect(output()).not.toContain(PRESENT);

    // It takes the first one now, and its answer is lost: that one comes once more, under its id.
    receiver.answer('lost');
    expect((await signer.run(ONCE, env())).code).toBe(0);
    receiver.answer(204);
    expect((await signer.run(ONCE, env())).code).toBe(0);
    expect(kept()).toEqual(published());
    expect(receiver.arrived.every((each) => believes(PRESENT, each))).toBe(true);
    const before = receiver.arrived.length;
    expect((await signer.run(ONCE, env())).code).toBe(0);
    expect(receiver.arrived).toHaveLength(before);
  });

  it('PR-09 gets at the end of the process what was signed at its end', async () => {
    await appendEvents(db, 1);
    const { child } = signer.start(['--make-key'], env({ AUDIT_CHECKPOINT_SECONDS: '600' }));
    await eventually(() => receiver.arrived.length).toBe(1);
    await appendEvents(db, 1);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(receiver.arrived.map(({ body }) => body)).toEqual(published());
    expect(published()).toHaveLength(2);
  });

  it('PR-09 is signed by both secrets in the overlap, and by one before and after it', async () => {
    const steps: Record<string, string>[] = [
      {},
      { SECRET_AUDIT_CHECKPOINT_WEBHOOK_NEXT: NEXT },
      { SECRET_AUDIT_CHECKPOINT_WEBHOOK: NEXT },
    ];
    for (const change of steps) {
      await appendEvents(db, 1);
      expect((await signer.run(ONCE, env(change))).code).toBe(0);
    }
    const judged = receiver.arrived.map((each) => [believes(PRESENT, each), believes(NEXT, each)]);
    expect(judged).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
  });

  it('R-087i SS-11 nobody who listens elsewhere gets anything, and signing goes on', async () => {
    const trap = await webhookReceiver();
    receiver.answer(trap.url);
    await appendEvents(db, 1);
    const ports = { ALLOWED_LOOPBACK_PORTS: `${receiver.port},${trap.port}` };
    expect(await signer.run(ONCE, env(ports))).toMatchObject({
      code: 0,
      output: expect.stringContaining('REDIRECT'),
    });
    expect([receiver.arrived.length, trap.arrived.length, published().length]).toEqual([1, 0, 1]);
    await trap.close();
  });

  it.each([
    ['without a secret', { SECRET_AUDIT_CHECKPOINT_WEBHOOK: '' }, 'needs SECRET_AUDIT_CHECKPOINT_WEBHOOK'],
    ['with a weak one', { SECRET_AUDIT_CHECKPOINT_WEBHOOK: 'whsec_Y2FuYXJ5' }, 'must hold 24 to 64 bytes'],
    ['to an address inside', { ALLOWED_LOOPBACK_PORTS: '' }, 'AUDIT_CHECKPOINT_WEBHOOK is refused (ADDRESS)'],
  ])('PR-09 SC-06 SS-11 does not start %s, and says so without the values', async (_, change, words) => {
    await appendEvents(db, 1);
    const { code, output } = await signer.run(ONCE, env(change));
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(words) });
    for (const value of [PRESENT, 'Y2FuYXJ5', receiver.url]) expect(output).not.toContain(value);
    expect(receiver.arrived).toHaveLength(0);
  });
});
