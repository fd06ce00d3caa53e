import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import { memberOf } from '@/lib/domain/audit-body';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { fingerprint, NORTH } from '@/lib/testing/ledger-fixture';
import { ANY_AUDIT_EVENT } from './audit-filter';
import { confirmNotApplied } from './confirm-not-applied';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { listAuditEvents } from './list-audit-events';
import { readArrivalsBetween } from './read-arrivals-between';
import { readLedgerSince } from './read-ledger-since';
import { readSubjects } from './read-subjects';

const WORKER: TransactionContext = {
  actor: { kind: 'system', id: 'system:worker' },
  requestId: 'job:1',
  sourceAddress: null,
};

const WHERE = { target: { system: 'payment', account: 'main' } };

let db: TestDatabase;
let desk: DeskFixture;
let doubts: DoubtFixture;
let operator: LookingContext;
let approver: LookingContext;
let manager: LookingContext;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] = 'a key of the test';
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  approver = await desk.desk({ roles: ['APPROVER'] });
  doubts = doubtFixture(desk, operator);
  manager = await desk.desk({ roles: ['MANAGER'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const read = (actor: LookingContext) => ({ actor: actor.actor, db: db.pool('app') });

async function eventsFound(reader: LookingContext, text: string) {
  const answer = await listAuditEvents(read(reader), {
    filter: { ...ANY_AUDIT_EVENT, text },
    sort: 'number',
    cursor: null,
    size: 50,
  });
  if (answer.kind !== 'page') throw new Error('bug: no cursor was given');
  return answer.rows;
}

describe('an audit event and the ledger', () => {
  it('R-088a is found by the key, request id, result id or business reference of its execution, by nobody else', async () => {
    const businessRef = `order/${randomUUID().slice(0, 8)}`;
    const requestId = `REQ-${randomUUID().slice(0, 8)}`;
    const { form, id, key } = await doubts.unpaid({ businessRef, requestId });
    expect(await confirmNotApplied(operator, form)).toMatchObject({ outcome: 'requested' });
    const told = (await eventsFound(manager, id)).map(({ event }) => event);
    expect(told).toContain('decision.confirm_not_applied_requested');
    const south = await desk.desk({ roles: ['MANAGER'], tenants: ['tenant-south'] });
    for (const text of [key, key.slice(0, 20), businessRef, businessRef.slice(0, 10), requestId]) {
      expect((await eventsFound(manager, text)).map(({ event }) => event)).toEqual(told);
      expect(await eventsFound(south, text)).toEqual([]);
    }
    expect(await eventsFound(manager, businessRef.toUpperCase())).toEqual([]);
  });

  it('R-088ab the list knows which work an event is about, and not that of another tenant', async () => {
    const businessRef = `order/${randomUUID().slice(0, 8)}`;
    const { form, id, key } = await doubts.unpaid({ businessRef });
    await confirmNotApplied(operator, form);
    const events = await eventsFound(manager, id);
    expect(Object.values(await readSubjects(read(manager), events))).toEqual([{ businessRef, key }]);
    const south = await desk.desk({ roles: ['MANAGER'], tenants: ['tenant-south'] });
    expect(await readSubjects(read(south), events)).toEqual({});
    expect(await readSubjects(read(manager), [])).toEqual({});
  });

  it('R-088f R-088h R-088q R-088v tells what became of the work after it, and of nothing before, and the new key’s own life', async () => {
    const { requestId, exceptionId, verdict } = await doubts.requested();
    const [event] = (await eventsFound(manager, requestId)).slice(-1);
    if (event === undefined) throw new Error('bug: the request left no event');
    const before = await readLedgerSince(read(manager), event);
    expect(before).toMatchObject({ state: 'UNKNOWN', attempts: null, arrivals: null, looks: null, made: [] });
    expect(exceptionId).toBe(event.exceptionId);

    expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
    const lookupId = await doubts.look(exceptionId);
    await transaction(db.pool('worker'), WORKER, (tx) =>
      tx.query('select review.execute_reissue($1::uuid, $2::uuid)', [requestId, lookupId]),
    );
    const key = before?.key ?? '';
    await db.pool('app').query('SELECT ledger.claim_as($1, $2)', [
      NORTH,
      {
        operation: 'create-payment',
        key,
        fingerprint: fingerprint('content'),
        ...WHERE,
      },
    ]);
    const after = await readLedgerSince(read(manager), event);
    expect(after).toMatchObject({ arrivals: { count: 1, answer: 'SUPERSEDED' }, attempts: null });
    expect(after?.made).toEqual([
      expect.objectContaining({
        key: expect.stringMatching(/^reissue-/),
        state: 'RECEIVED',
        relation: 'RETRY_AS_NEW',
        ...{ attempts: null, arrivals: null, resultId: null },
      }),
    ]);
    const { executionId, key: newKey } = after!.made[0]!;
    await desk.ledger.claim(newKey, { operation: 'create-payment', owner: 'worker-7', ...WHERE });
    await desk.ledger.report('effect_started', executionId, { fencingToken: '1' });
    const done = { resultId: 'PAY-NEW', resultUrl: 'https://pay.example/PAY-NEW', target: WHERE.target };
    await desk.ledger.report('complete', executionId, { fencingToken: '1', ...done });
    const later = await readLedgerSince(read(manager), event);
    expect(later).toMatchObject({ attempts: null, state: 'UNKNOWN', resultId: null });
    expect(later?.made).toEqual([
      expect.objectContaining({
        ...{ state: 'SUCCEEDED', resultId: 'PAY-NEW', resultUrl: 'https://pay.example/PAY-NEW' },
        attempts: expect.objectContaining({ count: 1, lastOwner: 'worker-7', endedAt: expect.any(String) }),
        arrivals: expect.objectContaining({ count: 1, answer: 'CLAIMED', senders: [expect.any(String)] }),
      }),
    ]);
    expect(later).toMatchObject({ looks: { count: 1, event: { event: 'lookup.recorded' } } });
    expect(memberOf(later!.looks!.event!, 'lookupId')).toBe(lookupId);
    expect(later?.made).toMatchObject([{ looks: null }]);
    // Whatever the event, a new key’s life is told whole.
    const last = { ...event, occurredAt: '2099-01-01T00:00:00.000000Z' };
    expect(await readLedgerSince(read(manager), last)).toMatchObject({
      ...{ arrivals: null, looks: null, made: [{ attempts: { count: 1 }, arrivals: { count: 1 } }] },
    });
    const south = await desk.desk({ roles: ['MANAGER'], tenants: ['tenant-south'] });
    expect(await readLedgerSince(read(south), event)).toBeNull();
    // Between a look and an act: what came before the look was there to be seen.
    const end = '2099-01-01T00:00:00.000000Z';
    const between = (reader: LookingContext, from: string, until: string) =>
      readArrivalsBetween(read(reader), event.executionId!, [from, until]);
    expect(await between(manager, event.occurredAt, end)).toMatchObject({ count: 1, answer: 'SUPERSEDED' });
    expect(await between(manager, '2000-01-01T00:00:00.000000Z', event.occurredAt)).toMatchObject({
      count: 1,
    });
    expect(await between(manager, end, end)).toBeNull();
    expect(await between(south, event.occurredAt, end)).toBeNull();
    expect(await readLedgerSince(read(manager), { ...event, executionId: null })).toBeNull();
  });
});
