import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { behindLock } from '@/lib/testing/behind-lock';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { installPolicy, step } from '@/lib/testing/policy-forms';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';

/** Calls at once; each has a connection of its own. */
const TOGETHER = 30;

let db: TestDatabase;
let desk: DeskFixture;
let doubts: DoubtFixture;
let approvers: LookingContext[];
let wide: pg.Pool;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  doubts = doubtFixture(desk, await desk.desk());
  wide = new pg.Pool({ connectionString: db.appUrl, max: TOGETHER });
  wide.on('error', () => undefined); // its connections may still be closing when the database is dropped
  approvers = [];
  for (let n = 1; n <= 5; n += 1) {
    const approver = await desk.desk({ roles: ['APPROVER'] });
    await changePerson(db, approver.actor.personId, `display_name = 'Approver ${n}'`);
    approvers.push({ ...approver, pool: wide });
  }
});
beforeEach(() => installPolicy(db, {}));
afterAll(async () => {
  await wide.end();
  await desk.close();
  await db.drop();
});

const one = async <T>(text: string, ...values: unknown[]) =>
  (await db.pool('superuser').query<T & Record<string, unknown>>(text, values)).rows[0] as T;
const carryOut = (requestId: string) =>
  executeReissue(db.pool('worker'), desk.asking, { requestId }, randomUUID());

/** All wait for the execution's row and go on together. */
const releasedTogether = (requestId: string, calls: readonly (() => Promise<CommandAnswer>)[]) =>
  behindLock(
    db,
    [
      `SELECT FROM ledger.executions e JOIN review.approval_requests r USING (execution_id) WHERE r.request_id = $1 FOR UPDATE OF e`,
      [requestId],
    ],
    calls,
  );

/** What there is of one request: verdicts, jobs in the outbox, keys, and the events that tell of them. */
const made = (requestId: string) =>
  one(
    `SELECT r.state,
       (SELECT count(*)::int FROM review.approval_decisions d WHERE d.request_id = r.request_id) AS verdicts,
       (SELECT count(*)::int FROM graphile_worker.jobs j WHERE j.key = 'execute-reissue:' || r.request_id) AS jobs,
       (SELECT count(*)::int FROM ledger.executions e WHERE e.reissue_of = r.execution_id) AS keys,
       (SELECT count(*)::int FROM review.audit_events a WHERE a.approval_request_id = r.request_id AND a.event = 'reissue.executed') AS told
     FROM review.approval_requests r WHERE r.request_id = $1`,
    requestId,
  );

describe('approvals released together', () => {
  it.each([
    { by: 1, threshold: 1, rounds: 10 },
    { by: 1, threshold: 2, rounds: 10 },
    { by: 5, threshold: 1, rounds: 10 },
    { by: 5, threshold: 2, rounds: 20 },
  ])(
    'FE-05 R-071b thirty by $by with $threshold needed: one verdict of each at most, one key, one job, in $rounds rounds',
    async ({ by, threshold, rounds }) => {
      await installPolicy(db, { steps: [step({ count: threshold })] });
      const enough = by >= threshold;
      for (let round = 0; round < rounds; round += 1) {
        const { requestId, verdict } = await doubts.requested();
        const calls = Array.from(
          { length: TOGETHER },
          (_each, n) => () => decideRequest(approvers[n % by]!, verdict()),
        );
        const answers = await releasedTogether(requestId, calls);
        expect(answers.filter((each) => each.outcome === 'done')).toHaveLength(Math.min(by, threshold));
        for (const each of answers.filter(({ outcome }) => outcome !== 'done'))
          expect(['REQUEST_ENDED', 'DECIDED_BY_YOU_ALREADY']).toContain((each as { code: string }).code);
        const verdicts = Math.min(by, threshold);
        expect(await made(requestId)).toEqual(
          enough
            ? { state: 'APPROVED', verdicts, jobs: 1, keys: 0, told: 0 }
            : { state: 'PENDING', verdicts, jobs: 0, keys: 0, told: 0 },
        );
        await Promise.all([carryOut(requestId), carryOut(requestId), carryOut(requestId)]);
        expect(await made(requestId)).toMatchObject(
          enough ? { state: 'EXECUTED', keys: 1, told: 1 } : { state: 'PENDING', keys: 0, told: 0 },
        );
      }
    },
    120_000,
  );

  it('FE-06 R-077a approve and reject at once: one of them counts and the other is told whose, in 50 rounds', async () => {
    const [first, second] = [approvers[0]!, approvers[1]!];
    for (let round = 0; round < 50; round += 1) {
      const { requestId, verdict } = await doubts.requested();
      const answers = await releasedTogether(requestId, [
        () => decideRequest(first, verdict()),
        () => decideRequest(second, verdict({ verdict: 'REJECT' })),
      ]);
      const approved = answers[0]!.outcome === 'done';
      expect(answers[approved ? 1 : 0]).toMatchObject({
        outcome: 'refused',
        code: 'REQUEST_ENDED',
        decidedBy: approved ? 'Approver 1' : 'Approver 2',
      });
      expect(await made(requestId)).toMatchObject({
        state: approved ? 'APPROVED' : 'REJECTED',
        verdicts: 1,
        jobs: approved ? 1 : 0,
      });
    }
  }, 120_000);

  it('FE-07 R-078a a demotion that began first lets no approval commit after it', async () => {
    const passing = await desk.desk({ roles: ['APPROVER'] });
    const { requestId, verdict } = await doubts.requested();
    const [answer] = await behindLock(
      db,
      [
        `DO $$ BEGIN
           PERFORM set_config('onceover.actor_kind', 'system', true), set_config('onceover.actor_id', 'system:test', true),
             set_config('onceover.request_id', 'test', true);
           UPDATE review.people SET roles = '{OPERATOR}' WHERE person_id = '${passing.actor.personId}';
         END $$`,
        [],
      ],
      [() => decideRequest({ ...passing, pool: wide }, verdict())],
    );
    expect(answer).toMatchObject({ outcome: 'refused', code: 'ROLE_MISSING' });
    expect(await made(requestId)).toMatchObject({ state: 'PENDING', verdicts: 0 });
  });
});
