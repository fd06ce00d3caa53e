import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSigningKey, signingKeyOf, signRecord } from '@/lib/audit/signer/signing-key';
import { checkpointLine, FIRST_PREVIOUS, parseCheckpoint } from '@/lib/audit/verifier/checkpoint.mjs';
import { believes, webhookReceiver, type WebhookReceiver } from '@/lib/testing/webhook-receiver';
import { checkpointWebhook } from './checkpoint-webhook';

const secret = () => `whsec_${randomBytes(32).toString('base64')}`;
const [PRESENT, NEXT] = [secret(), secret()];
const KEY = signingKeyOf(makeSigningKey());
const line = (sequence: string) =>
  checkpointLine(
    signRecord(KEY, {
      ...{ type: 'checkpoint', sequence, logId: 'a'.repeat(64), number: sequence, hash: 'b'.repeat(64) },
      ...{ signedAt: '2026-12-01T00:00:00.000000Z', keyId: KEY.keyId, previous: FIRST_PREVIOUS },
      ...{ newKey: null, revokedKeyId: null, revokedAt: null },
    }),
  );

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await webhookReceiver();
});
afterEach(() => receiver.close());

const env = (change: Record<string, string> = {}) => ({
  AUDIT_CHECKPOINT_WEBHOOK: receiver.url,
  ALLOWED_LOOPBACK_PORTS: receiver.port,
  SECRET_AUDIT_CHECKPOINT_WEBHOOK: PRESENT,
  ...change,
});
const sender = (change?: Record<string, string>) => {
  const send = checkpointWebhook(env(change));
  if (send === null) throw new Error('no sender');
  return send;
};

describe('the settings of the webhook', () => {
  it.each([
    ['no secret', { SECRET_AUDIT_CHECKPOINT_WEBHOOK: '' }, 'needs SECRET_AUDIT_CHECKPOINT_WEBHOOK'],
    ['a typed secret', { SECRET_AUDIT_CHECKPOINT_WEBHOOK: 'canary-4711' }, 'is not written as'],
    ['a short secret', { SECRET_AUDIT_CHECKPOINT_WEBHOOK: 'whsec_YWJj' }, 'must hold 24 to 64 bytes'],
    [
      'a weak next one',
      { SECRET_AUDIT_CHECKPOINT_WEBHOOK_NEXT: `whsec_${'AAAA'.repeat(8)}` },
      'NEXT is weak',
    ],
    ['one secret twice', { SECRET_AUDIT_CHECKPOINT_WEBHOOK_NEXT: PRESENT }, 'must be two secrets'],
  ])('PR-09 SC-06 are refused by name and without the value: %s', (_, change, words) => {
    const refusal = () => checkpointWebhook(env(change));
    expect(refusal).toThrow(words);
    for (const value of [PRESENT, ...Object.values(change)].filter(Boolean))
      expect(refusal).not.toThrow(value);
  });

  it.each([
    ...[
      'http://hooks.example.com/',
      'https://127.0.0.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0x7f.1/',
    ],
    ...[
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://0.0.0.0/',
      'https://localhost/',
      'https://10.0.0.1/',
    ],
    ...[
      'https://169.254.169.254/',
      'https://metadata.internal/',
      'https://[64:ff9b::7f00:1]/',
      'https://[fd00::1]/',
    ],
    ...['https://user:canary@hooks.example.com/', 'file:///etc/passwd', 'no address', 'https://printer/'],
  ])('SS-11 PR-09 refuse the address %s', (url) => {
    const refusal = () => checkpointWebhook(env({ AUDIT_CHECKPOINT_WEBHOOK: url }));
    expect(refusal).toThrow('AUDIT_CHECKPOINT_WEBHOOK is refused');
    expect(refusal).not.toThrow(url);
  });

  it('PR-09 without an address ask for nothing', () => {
    expect(checkpointWebhook({})).toBeNull();
  });
});

describe('a delivery', () => {
  it('PR-09 carries the record alone, and headers that a receiver can verify', async () => {
    await sender()(line('7'));
    const [first] = receiver.arrived;
    expect(first?.body).toBe(line('7'));
    expect(parseCheckpoint(first?.body ?? '')).not.toBeNull();
    expect(Object.keys(first?.headers ?? {}).sort()).toEqual([
      ...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent'],
      ...['webhook-id', 'webhook-signature', 'webhook-timestamp'],
    ]);
    expect(believes(PRESENT, first!)).toBe(true);
    expect(believes(secret(), first!)).toBe(false);
  });

  it('PR-09 is signed over its body, its id and its time', async () => {
    await sender()(line('7'));
    const [first] = receiver.arrived;
    const { headers, body } = first!;
    const changed = (header: string, value: string) => ({ body, headers: { ...headers, [header]: value } });
    expect(believes(PRESENT, { headers, body: body.replace('"7"', '"8"') })).toBe(false);
    expect(believes(PRESENT, changed('webhook-id', `${String(headers['webhook-id'])}x`))).toBe(false);
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(believes(PRESENT, changed('webhook-timestamp', later))).toBe(false);
  });

  it('PR-09 has one id however often it is sent, and another one for another record', async () => {
    await sender()(line('7'));
    await sender({ SECRET_AUDIT_CHECKPOINT_WEBHOOK_NEXT: NEXT })(line('7'));
    await sender()(line('8'));
    const ids = receiver.arrived.map(({ headers }) => headers['webhook-id']);
    expect(ids[0]).toMatch(/^checkpoint_[0-9a-f]{64}$/);
    expect([ids[1] === ids[0], ids[2] === ids[0]]).toEqual([true, false]);
  });

  it('PR-09 holds by both secrets while both are set, and by one alone before and after', async () => {
    await sender()(line('1'));
    await sender({ SECRET_AUDIT_CHECKPOINT_WEBHOOK_NEXT: NEXT })(line('2'));
    await sender({ SECRET_AUDIT_CHECKPOINT_WEBHOOK: NEXT })(line('3'));
    const judged = receiver.arrived.map((each) => [believes(PRESENT, each), believes(NEXT, each)]);
    expect(judged).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
  });

  it('SS-11 SS-03 follows no redirect', async () => {
    const trap = await webhookReceiver();
    receiver.answer(trap.url);
    const ports = { ALLOWED_LOOPBACK_PORTS: `${receiver.port},${trap.port}` };
    await expect(sender(ports)(line('1'))).rejects.toThrow('REDIRECT');
    expect([receiver.arrived.length, trap.arrived.length]).toEqual([1, 0]);
    await trap.close();
  });

  it('SS-11 SS-02 looks at what the name stands for each time, and goes nowhere when that has changed', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.5'], ['127.0.0.1', '169.254.169.254'], ['93.184.216.34'], []];
    const send = checkpointWebhook(
      env({ AUDIT_CHECKPOINT_WEBHOOK: receiver.url.replace('127.0.0.1', 'localhost') }),
      () => Promise.resolve((answers.shift() ?? []).map((address) => ({ address, family: 4 }))),
    );
    await send?.(line('1'));
    while (answers.length > 0) await expect(send?.(line('2'))).rejects.toThrow('UNREACHABLE');
    expect(receiver.arrived.map(({ body }) => body)).toEqual([line('1')]);
    const inside = checkpointWebhook(
      env({ AUDIT_CHECKPOINT_WEBHOOK: `https://hooks.example.com:${receiver.port}/` }),
      () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    );
    await expect(inside?.(line('3'))).rejects.toThrow('UNREACHABLE');
    expect(receiver.arrived).toHaveLength(1);
  });

  it('PR-09 that is refused tells its status and nothing of the secret', async () => {
    receiver.answer(500);
    const refused = sender()(line('1'));
    await expect(refused).rejects.toThrow(/^status 500$/);
  });
});
