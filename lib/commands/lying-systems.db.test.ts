import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decideRequest } from '@/lib/review/decide-request';
import { linkResult } from '@/lib/review/link-result';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { LIES } from '@/lib/testing/lies';
import { startWorker, type RunningWorker } from './worker-process';

const SLOW = 'one-byte-a-second';
/** So many that they take minutes to hang, some at once. */
const HANGING = 600;

let db: TestDatabase;
let desk: DeskFixture;
let worker: RunningWorker | undefined;
const canary = createServer((_request, response) => response.end('{"items": []}'));
let visits = 0;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  canary.on('connection', () => (visits += 1));
  canary.listen(0, '127.0.0.1');
  await once(canary, 'listening');
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await db.pool('owner').query('DELETE FROM graphile_worker._private_jobs');
});
afterAll(async () => {
  canary.close();
  await desk.close();
  await db.drop();
});

const start = async () => {
  worker = await startWorker({
    pool: db.pool('worker'),
    asking: desk.asking,
    log: pino({ level: 'silent' }),
  });
};
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 40_000, interval: 100 });

/** One operation for each lie, and one of a system that tells the truth; `under way` counts open answers by system. */
async function outsideWorld() {
  const underWay = new Map<string, number>();
  const names = [...Object.keys(LIES), 'honest'];
  for (const name of names) {
    await desk.connectOther(name, { path: name });
    await desk.ledger.policy(`pay-${name}`, { connector_id: name, authority: 'money' });
  }
  desk.answer((request, response) => {
    const url = new URL(request.url ?? '', 'http://stub');
    const name = url.pathname.split('/')[2] ?? '';
    const payment = desk.payment(url.searchParams.get('reference') ?? '');
    const count = (change: number) => underWay.set(name, (underWay.get(name) ?? 0) + change);
    count(1);
    response.once('close', () => count(-1));
    const address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/`;
    const lie = LIES[name];
    if (lie !== undefined) return lie.answer(response, { request, payment, canary: address });
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ items: [payment] }));
  });
  const unknown = (name: string) => desk.unknownPayment({ operation: `pay-${name}` });
  return { unknown, underWay: (name: string) => underWay.get(name) ?? 0 };
}

describe('systems that answer wrongly', () => {
  it('R-057l R-061o SS-03 SS-07 never lead to a link, and hold up no look at a system that answers', async () => {
    const { unknown, underWay } = await outsideWorld();
    const doubts: { name: string; id: string; exceptionId: string }[] = [];
    // So many of the slow one that it is not done with them for a minute.
    const names = [...Object.keys(LIES), ...Object.keys(LIES), ...Array.from({ length: 12 }, () => SLOW)];
    for (const name of names) doubts.push({ name, ...(await unknown(name)) });
    await start();
    await eventually(() => underWay(SLOW)).toBeGreaterThan(0);
    const honest = await Promise.all(Array.from({ length: 8 }, () => unknown('honest')));
    const known = async () => {
      const all = await Promise.all(honest.map(({ id }) => desk.lookups(id)));
      return all.filter((looks) => looks.some(({ verdict }) => verdict === 'APPLIED')).length;
    };
    await eventually(known).toBe(honest.length);
    // Meanwhile the slow system is still at its answers.
    const lookedAt = async (wanted: (name: string) => boolean) => {
      const chosen = doubts.filter(({ name }) => wanted(name));
      const looks = await Promise.all(chosen.map(({ id }) => desk.lookups(id)));
      return { of: chosen.length, count: looks.filter((each) => each.length > 0).length };
    };
    const slow = await lookedAt((name) => name === SLOW);
    expect(slow.count).toBeLessThan(slow.of);

    await eventually(async () => (await lookedAt((name) => name === SLOW)).count).toBeGreaterThan(0);
    const quick = Object.keys(LIES).length * 2 - 2;
    await eventually(async () => (await lookedAt((name) => name !== SLOW)).count).toBe(quick);
    const operator = await desk.desk();
    for (const { name, id, exceptionId } of doubts) {
      const lie = LIES[name]!;
      const looks = await desk.lookups(id);
      if (name === SLOW && looks.length === 0) continue;
      expect({ name, looks }).toMatchObject({
        name,
        looks: looks.map(() => ({ outcome: lie.outcome, error_class: lie.errorClass, verdict: 'UNCLEAR' })),
      });
      const { form } = await desk.seen(operator, exceptionId);
      const evidenceId = String(looks[0]!.lookup_id);
      expect(await linkResult(operator, { ...form, evidenceId, lookAgain: false }), name).toMatchObject({
        outcome: 'refused',
      });
      expect(await desk.ledger.row(id)).toMatchObject({ state: 'UNKNOWN', result_id: null });
    }
    expect(visits).toBe(0);
  }, 120_000);

  it('R-057i while everything that asks outside hangs, the sweep goes on', async () => {
    const operator = await desk.desk();
    const approver = await desk.desk({ roles: ['APPROVER'] });
    const { requestId, verdict } = await doubtFixture(desk, operator).requested();
    expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
    const owner = db.pool('owner');
    await owner.query(
      `SELECT review.enqueue('execute-reissue', $1::jsonb, 'execute-reissue:' || n, now()) FROM generate_series(1, $2) n`,
      [JSON.stringify({ requestId }), HANGING],
    );
    let hanging = 0;
    desk.answer(() => (hanging += 1));
    await start();
    await eventually(() => hanging).toBeGreaterThanOrEqual(32);
    const { id } = await desk.ledger.started();
    await db.advanceClock('65 seconds');
    await owner.query(`SELECT review.enqueue('sweep', '{}', 'sweep', now())`);
    await eventually(async () => (await desk.ledger.exceptions(id)).map(({ kind }) => kind)).toEqual([
      'STUCK_PROCESSING',
    ]);
    // In one queue the sweep would have been behind all of them.
    expect(hanging).toBeLessThan(HANGING);
  }, 120_000);
});
