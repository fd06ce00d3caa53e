// Whoever's right is counted besides the caller's own: a demotion that commits first wins, one that commits later comes after.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import type { Json } from '@/lib/testing/ledger-fixture';
import { calling, overtaken, untilWaiting } from '@/lib/testing/overtaking';
import { rightsForm } from '@/lib/testing/people-forms';
import { installPolicy, step } from '@/lib/testing/policy-forms';
import { assignException } from './assign-exception';
import { confirmNotApplied } from './confirm-not-applied';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { changeRights } from './people/change-rights';

let db: TestDatabase;
let desk: DeskFixture;
let doubts: DoubtFixture;
let operator: LookingContext;
let admin: LookingContext;
let first: LookingContext;
let second: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  doubts = doubtFixture(desk, operator);
  await installPolicy(db, {
    steps: [step(), step({ kinds: ['CONFIRM_NOT_APPLIED'], role: null, count: 2 })],
  });
});
beforeEach(async () => {
  first = await desk.desk({ roles: ['APPROVER'] });
  second = await desk.desk({ roles: ['APPROVER'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** A confirmation that takes two approvals, and verdicts on it. */
async function confirmation() {
  const { id, exceptionId, form } = await doubts.unpaid();
  expect(await confirmNotApplied(operator, form)).toMatchObject({ outcome: 'requested' });
  const { rows } = await db
    .pool('owner')
    .query<{ request_id: string; digest: string }>(
      'select request_id, digest from review.approval_requests where execution_id = $1',
      [id],
    );
  const { request_id: requestId, digest } = rows[0]!;
  const verdict = () => ({
    ...{ requestId, digest, operationId: randomUUID(), verdict: 'APPROVE', lookAgain: false },
    ...{ rationale: 'Nothing arrived; the customer waits.', shownEvidenceId: null },
  });
  return { exceptionId, requestId, verdict };
}

const stateOf = async (requestId: string) =>
  (
    await db
      .pool('owner')
      .query<{ state: string }>('select state from review.approval_requests where request_id = $1', [
        requestId,
      ])
  ).rows[0]?.state;

/** The events that carry something out or take a right away, in the order in which they were committed. */
const order = async (since: string) =>
  (
    await db.pool('owner').query<{ event: string }>(
      `select event from review.audit_events where number > $1 and outcome = 'done'
         and event in ('decision.not_applied_confirmed', 'people.rights_changed') order by number`,
      [since],
    )
  ).rows.map(({ event }) => event);
const head = async () =>
  (
    await db
      .pool('owner')
      .query<{ head: string }>('select max(number)::text as head from review.audit_events')
  ).rows[0]!.head;

/**
 * The second verdict begins before the first one is committed; both of its kind are there when a gate on the exception stops
 * it, with all that comes earlier in its hands. `meanwhile` happens then.
 */
async function crossing<T>(
  exceptionId: string,
  verdict: () => Json,
  meanwhile: () => Promise<T>,
): Promise<{ late: unknown; done: T }> {
  const gate = await db.pool('owner').connect();
  try {
    await gate.query('begin');
    const held = { sql: 'select from review.exceptions where exception_id = $1 for update', id: exceptionId };
    const { late, shut } = await transaction(first.pool, first.context, async (tx) => {
      await calling('decide_request', verdict())(tx);
      const deciding = decideRequest(second, verdict());
      await untilWaiting(db, 1, deciding);
      const closing = gate.query(held.sql, [held.id]);
      await untilWaiting(db, 2, closing);
      return { late: deciding, shut: closing };
    });
    await shut;
    await untilWaiting(db, 1, late);
    const done = meanwhile();
    await untilWaiting(db, 2, done);
    await gate.query('commit');
    return { late: await late, done: await done };
  } finally {
    gate.release();
  }
}

describe('an approver of an earlier verdict', () => {
  it('FE-07 R-078n is held by the one who carries it out, who began before that verdict was committed', async () => {
    const { exceptionId, requestId, verdict } = await confirmation();
    const from = await head();
    const taken = await rightsForm(db, first.actor.personId, { roles: [], authorities: [] });
    const { late, done } = await crossing(exceptionId, verdict, () => changeRights(admin, taken));
    expect([late, done]).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
    expect(await stateOf(requestId)).toBe('EXECUTED');
    expect((await order(from)).slice(-2)).toEqual([
      'decision.not_applied_confirmed',
      'people.rights_changed',
    ]);
  });

  it('FE-07 R-078a whose demotion commits first counts no more', async () => {
    const { requestId, verdict } = await confirmation();
    expect(await decideRequest(first, verdict())).toMatchObject({ outcome: 'done' });
    const taken = await rightsForm(db, first.actor.personId, { roles: [], authorities: [] });
    const late = await overtaken(db, admin, calling('change_rights', taken), () =>
      decideRequest(second, verdict()),
    );
    expect(late).toMatchObject({ outcome: 'done' });
    expect(await stateOf(requestId)).toBe('PENDING');
  });
});

it('R-078n nobody is put in charge who was demoted first', async () => {
  const { exceptionId } = await doubts.unpaid();
  const { exceptionVersion } = (await desk.seen(operator, exceptionId)).form;
  const act = { exceptionId, exceptionVersion, operationId: randomUUID(), assigneeId: first.actor.personId };
  const taken = await rightsForm(db, first.actor.personId, { roles: [], authorities: [] });
  const assigned = await overtaken(db, admin, calling('change_rights', taken), () =>
    assignException(operator, act),
  );
  expect(assigned).toMatchObject({ outcome: 'refused', code: 'ASSIGNEE_NOT_SUITABLE' });
});
