import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { asActor } from '@/lib/testing/ledger-fixture';
import { CONNECTOR, lookupFixture, type LookupFixture } from '@/lib/testing/lookup-fixture';
import { asking } from './ask-connector';
import { lookUpAutomatically } from './automatic-lookup';

let db: TestDatabase;
let fixture: LookupFixture;
beforeAll(async () => {
  db = await testDatabase();
  fixture = await lookupFixture(db);
});
afterAll(async () => {
  await fixture.close();
  await db.drop();
});
beforeEach(async () => {
  await db.setClock(null);
  await fixture.connect();
  await db.pool('owner').query('DELETE FROM review.connector_slots');
  fixture.asked.length = 0;
  fixture.notes.length = 0;
});

const run = (exceptionId: string, more: object = {}) =>
  lookUpAutomatically(db.pool('worker'), fixture.asking, { exceptionId, reason: 'opened', ...more }, '1');
const change = (sql: string) =>
  asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) => client.query(sql));
const jobsOf = async (exceptionId: string) => {
  const { rows } = await db
    .pool('owner')
    .query<{ payload: unknown; wait: number }>(
      `SELECT j.payload, extract(epoch FROM j.run_at - now())::float8 AS wait FROM graphile_worker._private_jobs j WHERE j.key = $1`,
      [`lookup:${exceptionId}`],
    );
  return rows;
};
describe('askConnector', () => {
  it("R-057e the connector's rate holds: what comes too early waits in the queue with its slot", async () => {
    await fixture.connect({ ratePerSecond: 0.5 });
    const made = await Promise.all(Array.from({ length: 3 }, () => fixture.unknownPayment()));
    fixture.answerItems();
    const results = [];
    for (const { exceptionId } of made) results.push(await run(exceptionId));
    expect(results.map((each) => each.done)).toEqual(['ASKED', 'WAITS', 'WAITS']);
    expect(fixture.asked).toHaveLength(1);
    const third = (await jobsOf(made[2]!.exceptionId))[0]!;
    expect(third).toMatchObject({ payload: { slotTaken: true } });
    expect(third.wait).toBeGreaterThan(2.5);
    expect(await run(made[2]!.exceptionId, { slotTaken: true })).toMatchObject({ done: 'ASKED' });
  });

  it('R-058q further pages take their turns of the rate from the same row as every other process', async () => {
    await fixture.connect({
      ratePerSecond: 4,
      paging: { by: 'number', parameter: 'page', first: 1 },
      totalAt: '/total',
    });
    const { id, key, exceptionId } = await fixture.unknownPayment();
    fixture.answer(({ url }, response) => {
      const items = url?.includes('page=3') ? [fixture.payment(key)] : [fixture.payment('another')];
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ items, total: 3 }));
    });
    expect(await run(exceptionId)).toMatchObject({ done: 'ASKED' });
    expect(fixture.asked.map(({ url }) => url)).toEqual([
      `/api/payments?reference=${key}`,
      `/api/payments?reference=${key}&page=2`,
      `/api/payments?reference=${key}&page=3`,
    ]);
    expect(await fixture.lookups(id)).toMatchObject([{ outcome: 'FOUND', verdict: 'APPLIED' }]);
    await fixture.connect({
      ratePerSecond: 0.04,
      paging: { by: 'number', parameter: 'page', first: 1 },
      totalAt: '/total',
    });
    const slow = await fixture.unknownPayment();
    await db.pool('owner').query('DELETE FROM review.connector_slots');
    await run(slow.exceptionId);
    expect(await fixture.lookups(slow.id)).toMatchObject([
      { outcome: 'INCONCLUSIVE', error_class: 'MORE_PAGES' },
    ]);
  });

  it('R-063h a recipe that does not parse, a missing secret and another system ask nothing and say so', async () => {
    const outcomes: unknown[] = [];
    const ask = async (more?: object) => {
      const { id, exceptionId } = await fixture.unknownPayment(more as Record<string, unknown>);
      await run(exceptionId);
      const [kept] = await fixture.lookups(id);
      outcomes.push([kept!.outcome, kept!.error_class, kept!.verdict]);
    };
    await fixture.connect({ headers: { authorization: 'Bearer ${secret:ABSENT}' } });
    await ask();
    await fixture.connect();
    await ask({ target: { system: 'mail', account: 'main' } });
    await change(`UPDATE review.connectors SET recipe = '{"system":"payment"}'`);
    await ask();
    expect(outcomes).toEqual([
      ['INACCESSIBLE', 'SECRET_MISSING', 'UNCLEAR'],
      ['INCONCLUSIVE', 'OTHER_SYSTEM', 'UNCLEAR'],
      ['INCONCLUSIVE', 'CONNECTOR_INVALID', 'UNCLEAR'],
    ]);
    expect(fixture.asked).toEqual([]);
  });

  it("SS-01 R-063i without the deployment's entry this machine is not asked, and the reason stays in the restricted log", async () => {
    await change(`UPDATE review.connectors SET allow_private = false`);
    const { id, exceptionId } = await fixture.unknownPayment();
    await run(exceptionId);
    expect(fixture.asked).toEqual([]);
    expect(await fixture.lookups(id)).toMatchObject([
      { outcome: 'INACCESSIBLE', error_class: 'UNREACHABLE', verdict: 'UNCLEAR' },
    ]);
    expect(fixture.notes).toMatchObject([{ connectorId: CONNECTOR, detail: 'address refused: ADDRESS' }]);
    const open = asking({ SECRET_STUB: 'x', ALLOWED_LOOPBACK_PORTS: `1, ${fixture.port}` }, () => undefined);
    fixture.answerItems();
    await lookUpAutomatically(db.pool('worker'), open, { exceptionId, reason: 'again' }, '2');
    expect(fixture.asked).toHaveLength(1);
  });

  it("R-064h after the system's memory an empty answer proves nothing", async () => {
    await fixture.connect({ queryableSeconds: 600 });
    const { id, exceptionId } = await fixture.unknownPayment();
    fixture.answerItems();
    await db.advanceClock('11 minutes');
    expect(await run(exceptionId)).toMatchObject({ next: { again: false, because: 'NO_LONGER_QUERYABLE' } });
    expect(await fixture.lookups(id)).toMatchObject([
      { outcome: 'INCONCLUSIVE', error_class: 'NO_LONGER_QUERYABLE', verdict: 'UNCLEAR' },
    ]);
  });

  it('R-064m "not found" proves nothing about an execution that names no target, or another account', async () => {
    const seen: unknown[] = [];
    const ask = async (target: unknown, change?: object) => {
      await fixture.connect(change as Record<string, unknown>);
      const { id, key, exceptionId } = await fixture.unknownPayment({ target });
      fixture.answerItems();
      await run(exceptionId);
      fixture.answerItems(fixture.payment(key));
      await run(exceptionId);
      seen.push(...(await fixture.lookups(id)).map((kept) => [kept.outcome, kept.error_class, kept.verdict]));
    };
    const credentials = { fields: { id: '/id', status: '/status' }, fixedAccount: 'main' };
    await ask(null);
    await ask({ system: 'payment', account: 'main' }, credentials);
    await ask({ system: 'payment', account: 'other' }, credentials);
    expect(seen).toEqual([
      ['INCONCLUSIVE', 'TARGET_UNNAMED', 'UNCLEAR'],
      ['FOUND', null, 'APPLIED'],
      ['NOT_FOUND', null, 'NOT_APPLIED'],
      ['FOUND', null, 'APPLIED'],
      ['INCONCLUSIVE', 'OTHER_ACCOUNT', 'UNCLEAR'],
      ['MISMATCH', null, 'UNCLEAR'],
    ]);
  });

  it('R-063n SS-06 a connector of another tenant is not asked', async () => {
    await change(`UPDATE review.connectors SET tenant_id = 'tenant-south'`);
    const { id, exceptionId } = await fixture.unknownPayment();
    expect(await run(exceptionId)).toEqual({ done: 'NOTHING_TO_DO' });
    expect(fixture.asked).toEqual([]);
    expect(await fixture.lookups(id)).toEqual([]);
  });

  it('SS-09 closed, refused and unresolvable targets leave the same trace, with bucketed time', async () => {
    const traces = new Set<string>();
    for (const recipe of [
      { baseUrl: 'http://127.0.0.1:9' },
      { baseUrl: 'https://10.1.2.3' },
      { baseUrl: 'https://nowhere.example.com' },
    ]) {
      await change(`UPDATE review.connectors SET recipe = recipe || '${JSON.stringify(recipe)}'`);
      const { id, exceptionId } = await fixture.unknownPayment();
      await lookUpAutomatically(
        db.pool('worker'),
        { ...fixture.asking, resolve: () => Promise.reject(new Error('ENOTFOUND')) },
        { exceptionId, reason: 'opened' },
        '1',
      );
      const [kept] = await fixture.lookups(id);
      traces.add([kept!.outcome, kept!.error_class, kept!.duration_ms].join(' '));
    }
    expect([...traces]).toEqual(['INACCESSIBLE UNREACHABLE 250']);
    expect(fixture.notes.map(({ detail }) => detail)).toEqual([
      'ECONNREFUSED',
      'address refused: ADDRESS',
      'Error',
    ]);
  });

  it('R-059f text that the database cannot hold does not cost the evidence', async () => {
    const { id, key, exceptionId } = await fixture.unknownPayment();
    fixture.answerItems(
      fixture.payment(key, { account: `ma\u0000in${'x'.repeat(5_000)}`, amount: '\ud800' }),
    );
    expect(await run(exceptionId)).toMatchObject({ done: 'ASKED' });
    const [kept] = await fixture.lookups(id);
    expect(kept).toMatchObject({ outcome: 'MISMATCH', account_match: false });
    expect(kept!.target_account as string).toHaveLength(201);
    expect(kept!.target_account).toContain('ma\ufffdin');
  });
});
