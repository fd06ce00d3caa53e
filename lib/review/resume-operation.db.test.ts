import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, RATIONALE, type DeskFixture } from '@/lib/testing/desk-fixture';
import { fingerprint } from '@/lib/testing/ledger-fixture';
import type { LookingContext } from './desk-context';
import { resumeOperation } from './resume-operation';

let db: TestDatabase;
let desk: DeskFixture;
let approver: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  approver = await desk.desk({ roles: ['APPROVER'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** An operation that tolerates one conflict, paused by two. */
async function paused(columns: Record<string, unknown> = {}) {
  const operation = `pausing-${randomUUID()}`;
  await desk.ledger.policy(operation, { conflict_tolerance: 1, ...columns });
  const key = randomUUID();
  await desk.ledger.claim(key, { operation });
  const conflict = () => desk.ledger.claim(key, { operation, fingerprint: fingerprint(randomUUID()) });
  const claims = async () => (await desk.ledger.claim(randomUUID(), { operation })).code;
  const open = async () => {
    const { rows } = await db
      .pool('owner')
      .query<{ exception_id: string }>(
        `SELECT exception_id FROM review.exceptions WHERE operation = $1 AND kind = 'OPERATION_PAUSED' AND state = 'OPEN'`,
        [operation],
      );
    return rows.map((row) => row.exception_id);
  };
  await conflict();
  await conflict();
  const [exceptionId] = await open();
  const { form } = await desk.seen(approver, exceptionId!);
  return { operation, conflict, claims, open, form };
}

describe('R-054b a person resumes a paused operation', () => {
  it.each(['APPROVER', 'ADMIN'])(
    'R-054b as %s, with a reason, and claims get through again',
    async (role) => {
      const { claims, open, form } = await paused();
      expect(await claims()).toBe('OPERATION_PAUSED');
      const person = await desk.desk({ roles: [role] });
      expect(await resumeOperation(person, form)).toMatchObject({ outcome: 'done' });
      expect([await claims(), await open()]).toEqual([null, []]);
      const [event] = await desk.audit({ operationId: form.operationId });
      expect(event).toMatchObject({
        event: 'operation.resumed',
        outcome: 'done',
        actor_id: person.actor.personId,
      });
      expect(event?.body).toMatchObject({ rationale: RATIONALE });
    },
  );

  it.each([
    ['an operator', { roles: ['OPERATOR'] }, {}, 'ROLE_MISSING'],
    ['a manager', { roles: ['MANAGER'] }, {}, 'ROLE_MISSING'],
    ['without a reason', { roles: ['APPROVER'] }, { rationale: ' \u200b ' }, 'RATIONALE_LENGTH'],
  ])('R-054b %s resumes nothing', async (_name, rights, change, code) => {
    const { claims, open, form } = await paused();
    expect(await resumeOperation(await desk.desk(rights), { ...form, ...change })).toMatchObject({
      outcome: 'refused',
      code,
    });
    expect([await claims(), (await open()).length]).toEqual(['OPERATION_PAUSED', 1]);
  });

  it('R-054b what led to the pause is settled with it: only new conflicts count, and pause it again', async () => {
    const { claims, conflict, open, form } = await paused();
    await resumeOperation(approver, form);
    await conflict();
    expect([await claims(), await open()]).toEqual([null, []]);
    await conflict();
    expect([await claims(), (await open()).length]).toEqual(['OPERATION_PAUSED', 1]);
  });

  it('R-054b of two people one resumes it, and the other is told', async () => {
    const { form } = await paused();
    const second = { ...form, operationId: randomUUID() };
    const answers = await Promise.all([resumeOperation(approver, form), resumeOperation(approver, second)]);
    expect(answers.map((answer) => answer.outcome).sort()).toEqual(['done', 'refused']);
  });
});

describe('R-054c the page of a pause', () => {
  const callers = async (exceptionId: string) => {
    const { view } = await desk.seen(approver, exceptionId);
    return view.impact.callers.map((each) => [each.lastDisposition, each.now?.status, each.now?.code]);
  };

  it('R-054c tells what passed the tolerance, and in which time', async () => {
    const { form } = await paused({ conflict_window_seconds: 1_800 });
    const { view } = await desk.seen(approver, form.exceptionId);
    expect(view.pause).toEqual({ counted: 2, tolerated: 1, windowSeconds: 1_800, paused: true });
  });

  it('R-054c tells of each caller what it gets now: in conflict as before, refused, or served after it', async () => {
    const { claims, operation, form } = await paused();
    await claims();
    const refused = randomUUID();
    await desk.ledger.claim(refused, { operation, requestId: 'refused-1' });
    expect(await callers(form.exceptionId)).toEqual([
      ['OPERATION_PAUSED', 503, 'OPERATION_PAUSED'],
      ['OPERATION_PAUSED', 503, 'OPERATION_PAUSED'],
      ['CONTENT_CONFLICT', 409, 'IDEMPOTENCY_KEY_REUSED'],
    ]);
    await resumeOperation(approver, form);
    await desk.ledger.claim(refused, { operation, requestId: 'refused-1' });
    expect(await callers(form.exceptionId)).toEqual([
      ['OPERATION_PAUSED', 409, 'REQUEST_IN_PROGRESS'],
      ['OPERATION_PAUSED', 201, 'CLAIMED'],
      ['CONTENT_CONFLICT', 409, 'IDEMPOTENCY_KEY_REUSED'],
    ]);
  });

  it('R-054c shows neither conflicts of before its window nor what came after its end', async () => {
    const { conflict, open, form } = await paused({ conflict_window_seconds: 60 });
    await db.advanceClock('1 hour');
    await resumeOperation(approver, form);
    await db.advanceClock('1 minute');
    await conflict();
    const { view } = await desk.seen(approver, form.exceptionId);
    expect(view.arrivals.total).toBe(2);
    await conflict();
    const [again] = await open();
    expect((await desk.seen(approver, again!)).view.arrivals.total).toBe(2);
  });
});
