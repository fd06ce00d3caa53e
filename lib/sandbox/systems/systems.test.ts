import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemsUnderTest } from './systems-under-test';

const record = {
  externalReference: 'key-1',
  account: 'north',
  name: 'Hana Kim',
  amount: 120_000,
  currency: 'KRW',
};
const message = {
  account: 'north-desk',
  to: 'hana@example.test',
  subject: 'Receipt',
  text: 'Thank you.',
  headers: { 'X-Reference': 'key-2' },
};
const payment = { account: 'north-shop', reference: 'key-3', amount: 49_000, currency: 'KRW' };
const searchMail = '/messages?header=X-Reference&value=key-2';

let systems: SystemsUnderTest;
beforeEach(async () => {
  systems = new SystemsUnderTest();
  await systems.start();
});
afterEach(() => systems.stop());

describe('authentication', () => {
  it('refuses a call without the right API key', async () => {
    const answer = await systems.call('crm', 'GET', '/records?external_reference=key-1', { secret: 'wrong' });
    expect(answer).toMatchObject({ status: 401, body: { error: 'unauthenticated' } });
  });
});

describe('CRM', () => {
  it('knows no request keys: the same request twice makes two records', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    await systems.call('crm', 'POST', '/records', { body: record, headers });
    await systems.call('crm', 'POST', '/records', { body: record, headers });
    const found = await systems.call('crm', 'GET', '/records?external_reference=key-1&account=north');
    expect(found.body.items).toHaveLength(2);
    expect(
      (await systems.call('crm', 'GET', '/records?external_reference=key-1&account=south')).body.items,
    ).toEqual([]);
  });

  it('proves a deletion by absence', async () => {
    const { body } = await systems.call('crm', 'POST', '/records', { body: record });
    expect(body.id).toMatch(/^CRM-/);
    expect((await systems.call('crm', 'DELETE', `/records/${body.id}`)).status).toBe(200);
    expect((await systems.call('crm', 'GET', `/records/${body.id}`)).status).toBe(404);
    expect((await systems.call('crm', 'DELETE', `/records/${body.id}`)).status).toBe(404);
    expect((await systems.call('crm', 'GET', '/records?external_reference=key-1')).body.items).toEqual([]);
  });
});

describe('mail service', () => {
  it('finds a message by its id and by its reference header', async () => {
    const sent = await systems.call('mail', 'POST', '/messages', { body: message });
    expect((await systems.call('mail', 'GET', searchMail)).body.items).toMatchObject([
      { id: sent.body.id, status: 'sent' },
    ]);
    expect((await systems.call('mail', 'GET', `/messages/${sent.body.id}`)).status).toBe(200);
    expect(
      (await systems.call('mail', 'GET', '/messages?header=X-Reference&value=other')).body.items,
    ).toEqual([]);
  });
});

describe('payment service', () => {
  const pay = (body: object, key: string) =>
    systems.call('payment', 'POST', '/payments', { body, headers: { 'idempotency-key': key } });

  it('honours a request key: the same payment again, and no other body under it', async () => {
    const first = await pay(payment, 'key-3');
    const again = await pay(payment, 'key-3');
    expect(again.body.id).toBe(first.body.id);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await pay({ ...payment, amount: 1 }, 'key-3')).toMatchObject({
      status: 422,
      body: { error: 'request_key_reused' },
    });
    expect((await systems.call('payment', 'GET', '/payments?reference=key-3')).body.items).toHaveLength(1);
  });

  it('forgets a request key after its window', async () => {
    const first = await pay(payment, 'key-3');
    systems.advance(24 * 3600);
    expect((await pay(payment, 'key-3')).body.id).not.toBe(first.body.id);
  });

  it('shows pending, succeeded, failed and reversed payments', async () => {
    const transfer = await pay({ ...payment, method: 'bank-transfer' }, 'a');
    expect(transfer.body.status).toBe('pending');
    systems.advance(61);
    expect((await systems.call('payment', 'GET', `/payments/${transfer.body.id}`)).body.status).toBe(
      'succeeded',
    );
    expect((await pay({ ...payment, method: 'expired-card' }, 'b')).body.status).toBe('failed');
    expect((await systems.call('payment', 'POST', `/payments/${transfer.body.id}/reverse`)).body.status).toBe(
      'reversed',
    );
    expect((await systems.call('payment', 'GET', `/payments/${transfer.body.id}`)).body.status).toBe(
      'reversed',
    );
  });
});

describe('state on disk', () => {
  it('is the same after a restart, on the same ports', async () => {
    const ports = Object.values(systems.settings).map(({ port }) => port);
    const sent = await systems.call('mail', 'POST', '/messages', { body: message });
    const paid = await systems.call('payment', 'POST', '/payments', { body: payment });
    await systems.call('payment', 'POST', `/payments/${paid.body.id}/reverse`);
    await systems.stop();
    await systems.start();
    expect(Object.values(systems.settings).map(({ port }) => port)).toEqual(ports);
    expect((await systems.call('mail', 'GET', searchMail)).body.items).toMatchObject([{ id: sent.body.id }]);
    expect((await systems.call('payment', 'GET', `/payments/${paid.body.id}`)).body.status).toBe('reversed');
  });
});
