import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoConfiguration } from '@/lib/sandbox/demo-config';
import { secretVariables } from '@/lib/sandbox/settings';
import { SystemsUnderTest } from '@/lib/sandbox/systems/systems-under-test';
import { installConnector } from '@/lib/testing/connector-forms';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { ledgerFixture, type Json, type LedgerFixture } from '@/lib/testing/ledger-fixture';
import { askConnector, asking, type AskedLookup, type Asking } from './ask-connector';
import { getLookupSubject } from './lookup-subject';

// The demo's own connectors against the demo's own systems over HTTP; each verdict is held against the system's data.
let db: TestDatabase;
let ledger: LedgerFixture;
let how: Asking;
const systems = new SystemsUnderTest();
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
  await systems.start();
  how = asking(secretVariables(systems.settings), () => undefined);
  const { connectors, policies } = demoConfiguration(systems.settings);
  for (const connector of connectors) await installConnector(db, connector);
  for (const { operation, proof, connectorId } of policies.filter(
    ({ tenantId }) => tenantId === 'tenant-north',
  )) {
    await ledger.policy(operation, { proof, connector_id: connectorId });
  }
});
afterAll(async () => {
  await systems.stop();
  await db.drop();
});

async function ask(
  operation: string,
  key: string,
  target: Json,
  displayFields: Json,
  with_ = how,
): Promise<AskedLookup> {
  const { id } = await ledger.started(key, { operation, target, displayFields });
  const subject = await getLookupSubject(db.pool('worker'), id);
  return askConnector(subject!, subject!.connector!, with_);
}
const judged = ({ finding, verdict }: AskedLookup) => [finding.outcome, finding.externalStatus, verdict];

describe('mail', () => {
  const send = (key: string, headers: Record<string, string> = {}) =>
    systems.call('mail', 'POST', '/messages', {
      headers,
      body: {
        account: 'desk',
        to: 'hana@example.test',
        subject: 'Receipt',
        text: 'Thanks',
        headers: { 'X-Reference': key },
      },
    });
  const askMail = (key: string, change: Json = {}) =>
    ask(
      'send-receipt-mail',
      key,
      { system: 'mail', account: 'desk' },
      { '/to': 'hana@example.test', '/subject': 'Receipt', ...change },
    );

  it('R-061r B-80 a mail that was sent although the answer was lost is found, with its own id', async () => {
    const key = randomUUID();
    await send(key, { 'x-sandbox-fault': 'drop-after-commit' }).catch(() => undefined);
    const asked = await askMail(key);
    expect(judged(asked)).toEqual(['FOUND', 'done', 'APPLIED']);
    const own = await systems.call('mail', 'GET', `/messages/${asked.finding.resultId}`);
    expect(own.status).toBe(200);
  });

  it('R-064k a mail that does not show yet is "not found" before its horizon alone', async () => {
    const key = randomUUID();
    await send(key, { 'x-sandbox-fault': 'visibility-delay;seconds=4' });
    const early = await askMail(key);
    expect(judged(early)).toEqual(['NOT_FOUND', null, 'NOT_APPLIED']);
    expect(early.subject.askedAt < early.horizon.usableFrom).toBe(true);
    systems.advance(5);
    expect(judged(await askMail(randomUUID()))).toEqual(['NOT_FOUND', null, 'NOT_APPLIED']);
    const again = await getLookupSubject(db.pool('worker'), early.subject.executionId);
    expect(judged(await askConnector(again!, again!.connector!, how))).toEqual(['FOUND', 'done', 'APPLIED']);
  });

  it('R-061r another recipient or another account is a mismatch', async () => {
    const key = randomUUID();
    await send(key);
    expect(judged(await askMail(key, { '/to': 'jun@example.test' }))).toEqual([
      'MISMATCH',
      'done',
      'UNCLEAR',
    ]);
  });

  it('SS-06 a wrong API key is no access, not "not found"', async () => {
    const wrong = asking(
      { ...secretVariables(systems.settings), SECRET_SANDBOX_MAIL: 'wrong' },
      () => undefined,
    );
    const asked = await ask(
      'send-receipt-mail',
      randomUUID(),
      { system: 'mail', account: 'desk' },
      { '/to': 'x', '/subject': 'y' },
      wrong,
    );
    expect([...judged(asked), asked.finding.errorClass]).toEqual([
      'INACCESSIBLE',
      null,
      'UNCLEAR',
      'NO_PERMISSION',
    ]);
  });
});

describe('payments', () => {
  const pay = (key: string, change: Json = {}, headers: Record<string, string> = {}) =>
    systems.call('payment', 'POST', '/payments', {
      headers: { 'idempotency-key': key, ...headers },
      body: {
        account: 'shop',
        reference: key,
        orderNumber: 'O-1',
        amount: 49_000,
        currency: 'KRW',
        ...change,
      },
    });
  const askPayment = (key: string, change: Json = {}) =>
    ask(
      'create-payment',
      key,
      { system: 'payment', account: 'shop' },
      { '/amount': 49_000, '/currency': 'KRW', '/orderNumber': 'O-1', ...change },
    );

  it('R-058o pending, settled, failed and reversed payments are told apart', async () => {
    const [settled, transfer, failed, reversed] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await pay(settled);
    expect(judged(await askPayment(settled))).toEqual(['FOUND', 'done', 'APPLIED']);
    await pay(transfer, { method: 'bank-transfer' });
    const pending = await askPayment(transfer);
    expect(judged(pending)).toEqual(['FOUND', 'pending', 'UNDER_WAY']);
    systems.advance(61);
    const subject = await getLookupSubject(db.pool('worker'), pending.subject.executionId);
    expect(judged(await askConnector(subject!, subject!.connector!, how))).toEqual([
      'FOUND',
      'done',
      'APPLIED',
    ]);
    await pay(failed, { method: 'expired-card' });
    expect(judged(await askPayment(failed))).toEqual(['FOUND', 'failed', 'NOT_APPLIED']);
    const made = await pay(reversed);
    await systems.call('payment', 'POST', `/payments/${made.body.id}/reverse`);
    expect(judged(await askPayment(reversed))).toEqual(['FOUND', 'reversed', 'UNCLEAR']);
  });

  it('R-061r a payment of another amount is a mismatch, a second one by hand is MULTIPLE', async () => {
    const [other, twice] = [randomUUID(), randomUUID()];
    await pay(other, { amount: 1_000 });
    expect(judged(await askPayment(other))).toEqual(['MISMATCH', 'done', 'UNCLEAR']);
    await pay(twice, {}, { 'x-sandbox-fault': 'duplicate' });
    const asked = await askPayment(twice);
    expect(judged(asked)).toEqual(['MULTIPLE', null, 'UNCLEAR']);
    const own = await systems.call('payment', 'GET', `/payments?reference=${twice}`);
    expect(asked.finding.candidates.map(({ id }) => id)).toEqual(own.body.items!.map(({ id }) => id));
  });

  it('R-058o a payment that never happened is not found', async () => {
    expect(judged(await askPayment(randomUUID()))).toEqual(['NOT_FOUND', null, 'NOT_APPLIED']);
  });
});

describe('deletions in the CRM', () => {
  it('R-058p what is gone is deleted, what is still there is not', async () => {
    const record = await systems.call('crm', 'POST', '/records', {
      body: { externalReference: randomUUID(), account: 'north', name: 'Hana', amount: 1, currency: 'KRW' },
    });
    const askDeletion = () =>
      ask(
        'delete-crm-record',
        randomUUID(),
        { system: 'crm', account: 'north' },
        { '/recordId': record.body.id },
      );
    expect(judged(await askDeletion())).toEqual(['FOUND', 'done', 'NOT_APPLIED']);
    await systems.call('crm', 'DELETE', `/records/${record.body.id}`);
    expect(judged(await askDeletion())).toEqual(['NOT_FOUND', null, 'APPLIED']);
  });
});
