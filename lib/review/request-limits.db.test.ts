// FE-09: the two limits of a request, to the second, by the database's clock alone.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { installPolicy } from '@/lib/testing/policy-forms';
import { sweepDesk } from '@/lib/testing/sweep-desk';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { getRequest } from './get-request';
import { listRequests } from './list-requests';

/** Seconds; neither divides the other, so that one cannot stand in for the other. */
const TO_DECIDE = 700;
const TO_CARRY_OUT = 90;
const HOUR = 3_600_000;

let db: TestDatabase;
let desk: DeskFixture;
let approver: LookingContext;
let doubts: DoubtFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  approver = await desk.desk({ roles: ['APPROVER'] });
  doubts = doubtFixture(desk, await desk.desk());
});
beforeEach(() => installPolicy(db, { approvalTtlSeconds: TO_DECIDE, executionTtlSeconds: TO_CARRY_OUT }));
afterEach(async () => {
  vi.useRealTimers();
  await db.setClock(null);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** the verdict that came too late. */
const LATE = {
  event: 'reissue.approved',
  outcome: 'refused',
  refusal_code: 'REQUEST_EXPIRED',
  body: { rationale: expect.any(String) },
};

/** The clock of this process runs, and is wrong; timers stay real. */
function skewApp(by: number): void {
  const real = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: real + by });
}

async function instants(requestId: string) {
  const { rows } = await db
    .pool('owner')
    .query<{ state: string; decide_by: string; execute_by: string | null }>(
      `select state, to_json(decide_by)#>>'{}' as decide_by, to_json(execute_by)#>>'{}' as execute_by
     from review.approval_requests where request_id = $1`,
      [requestId],
    );
  return rows[0]!;
}

/** Stops the database's clock so many seconds after an instant. */
async function stopAt(instant: string, seconds: number): Promise<void> {
  const { rows } = await db
    .pool('owner')
    .query<{ at: string }>(`select to_json($1::timestamptz + make_interval(secs => $2))#>>'{}' as at`, [
      instant,
      seconds,
    ]);
  await db.setClock(rows[0]!.at);
}

const carryOut = (requestId: string) => executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');
const SKEWS = [
  ['right', 0],
  ['an hour fast', HOUR],
  ['an hour slow', -HOUR],
] as const;

describe.each(SKEWS)('the app’s clock %s', (_, skew) => {
  it.each([
    [-1, 'done', 'APPROVED'],
    [0, 'REQUEST_EXPIRED', 'EXPIRED'],
    [1, 'REQUEST_EXPIRED', 'EXPIRED'],
  ])('FE-09 R-070c decided %i s from the decision’s limit: %s', async (seconds, answer, state) => {
    const { requestId, verdict } = await doubts.requested();
    await stopAt((await instants(requestId)).decide_by, seconds);
    skewApp(skew);
    const act = verdict();
    const told = await decideRequest(approver, act);
    expect(told.outcome === 'refused' ? told.code : told.outcome).toBe(answer);
    expect(await instants(requestId)).toMatchObject({ state });
    expect(await desk.audit({ operationId: act.operationId })).toMatchObject([
      { event: state === 'EXPIRED' ? 'reissue.expired' : 'reissue.approved', outcome: 'done' },
      // Who came late is on record, with their words, beside the end.
      ...(state === 'EXPIRED' ? [LATE] : []),
    ]);
  });

  it.each([
    [-1, 'EXECUTED'],
    [0, 'EXPIRED'],
    [1, 'EXPIRED'],
  ])('FE-09 R-070d carried out %i s from the execution’s limit: %s', async (seconds, state) => {
    const { requestId, verdict, exceptionId } = await doubts.requested();
    expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
    await stopAt((await instants(requestId)).execute_by!, seconds);
    skewApp(skew);
    await carryOut(requestId);
    expect(await instants(requestId)).toMatchObject({ state });
    const events = (await desk.audit({ exceptionId })).map(({ event }) => event);
    expect(events.includes('reissue.expired')).toBe(state === 'EXPIRED');
  });
});

describe('two limits', () => {
  it('FE-09 R-081g decided in the last second, there is the whole time to carry it out; the decision’s limit is past then', async () => {
    const { requestId, verdict } = await doubts.requested();
    const { decide_by: decideBy } = await instants(requestId);
    await stopAt(decideBy, -1);
    expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
    await stopAt(decideBy, TO_CARRY_OUT - 2);
    await carryOut(requestId);
    expect(await instants(requestId)).toMatchObject({ state: 'EXECUTED' });
  });

  it('FE-09 R-081g decided at once, it ends after the time to carry it out, long before the decision’s limit', async () => {
    const { requestId, verdict } = await doubts.requested();
    await installPolicy(db, { executionTtlSeconds: 3_600 });
    expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
    const { decide_by: decideBy, execute_by: executeBy } = await instants(requestId);
    const { rows } = await db
      .pool('owner')
      .query(
        `select round(extract(epoch from execute_by - state_since))::int as kept from review.approval_requests where request_id = $1`,
        [requestId],
      );
    expect(rows, 'what is kept is the sooner one already').toEqual([{ kept: TO_CARRY_OUT }]);
    expect(Date.parse(executeBy!)).toBeLessThan(Date.parse(decideBy));
    await stopAt(executeBy!, 1);
    await carryOut(requestId);
    expect(await instants(requestId)).toMatchObject({ state: 'EXPIRED' });
  });

  it('FE-09 R-081g the page, the list and the exception tell the sooner limit: of the request, or of a policy that is shorter by now', async () => {
    const { requestId, exceptionId, verdict } = await doubts.requested();
    await installPolicy(db, { approvalTtlSeconds: 120, executionTtlSeconds: TO_CARRY_OUT });
    const told = async () => {
      const view = (await getRequest(approver, requestId))!;
      const list = await listRequests(
        { actor: approver.actor, db: approver.pool },
        { filter: { states: [], kinds: [] }, cursor: null, size: 50 },
      );
      if (list.kind !== 'page') throw new Error('the cursor was refused');
      const listed = list.rows.find((row) => row.requestId === requestId)!;
      const { view: exception } = await desk.seen(approver, exceptionId);
      for (const each of [listed, exception.requests[0]!])
        expect([each.decideBy, each.executeBy]).toEqual([view.decideBy, view.executeBy]);
      return { ...view, seconds: (to: string, from: string) => (Date.parse(to) - Date.parse(from)) / 1_000 };
    };
    const waiting = await told();
    expect(waiting.seconds(waiting.decideBy, waiting.requestedAt)).toBe(120);
    await stopAt(waiting.decideBy, 1);
    expect(await told()).toMatchObject({ decideRefusal: 'REQUEST_EXPIRED' });
    await stopAt(waiting.decideBy, -1);
    expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
    for (const [byNow, seconds] of [
      [60, 60],
      [3_600, TO_CARRY_OUT],
    ] as const) {
      await installPolicy(db, { executionTtlSeconds: byNow });
      const approved = await told();
      expect(approved.seconds(approved.executeBy!, approved.stateSince)).toBe(seconds);
    }
  });

  it.each([
    ['decided', { approvalTtlSeconds: 120 }],
    ['carried out', { executionTtlSeconds: 60 }],
  ])(
    'R-081o what a shorter policy lets nobody be %s is ended by the sweep, on record',
    async (_, shorter) => {
      const { requestId, exceptionId, verdict } = await doubts.requested();
      const isToDecide = 'approvalTtlSeconds' in shorter;
      if (!isToDecide) expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
      await installPolicy(db, shorter);
      const view = (await getRequest(approver, requestId))!;
      const until = isToDecide ? view.decideBy : view.executeBy!;
      await stopAt(until, -1);
      await sweepDesk(db);
      expect(await instants(requestId)).toMatchObject({ state: isToDecide ? 'PENDING' : 'APPROVED' });
      await stopAt(until, 0);
      await sweepDesk(db);
      expect(await instants(requestId)).toMatchObject({ state: 'EXPIRED' });
      expect((await desk.audit({ exceptionId })).at(-1)).toMatchObject({
        event: 'reissue.expired',
        actor_id: 'system:sweep',
        body: { limit: isToDecide ? 'decision' : 'execution' },
      });
    },
  );
});
