import { afterAll, beforeAll, expect, it } from 'vitest';
import { decideRequest } from '@/lib/review/decide-request';
import type { LookingContext } from '@/lib/review/desk-context';
import { getRequest } from '@/lib/review/get-request';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { installPolicy, step } from '@/lib/testing/policy-forms';

let db: TestDatabase;
let desk: DeskFixture;
let doubts: DoubtFixture;
let approver: LookingContext;
let manager: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  const operator = await desk.desk();
  approver = await desk.desk({ roles: ['APPROVER'] });
  manager = await desk.desk({ roles: ['APPROVER', 'MANAGER'] });
  doubts = doubtFixture(desk, operator);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const ids = (people: readonly { id: string }[]) => people.map(({ id }) => id).sort();
const both = () => [approver, manager].map(({ actor }) => actor.personId).sort();

it('R-081h a request tells which steps have passed by whom, and who may pass the others', async () => {
  await installPolicy(db, { steps: [step({ count: 2 }), step({ role: 'MANAGER' })], minRationale: 20 });
  const { requestId, verdict } = await doubts.requested();
  const before = (await getRequest(approver, requestId))!;
  expect(before.steps.map(({ missing }) => missing)).toEqual([2, 1]);
  expect(before.steps.map(({ mayPass }) => ids(mayPass))).toEqual([both(), [manager.actor.personId]]);
  await decideRequest(manager, verdict());
  await installPolicy(db, { steps: [step({ count: 2 }), step({ count: 3 })], minRationale: 30 });
  const view = (await getRequest(approver, requestId))!;
  expect(view).toMatchObject({ minRationale: 30, approveRefusal: null });
  expect(view.steps.map(({ step: { count }, asked, now, missing }) => [count, asked, now, missing])).toEqual([
    [2, true, true, 1],
    [1, true, false, 0],
    [3, false, true, 2],
  ]);
  expect(ids(view.steps[1]!.passedBy)).toEqual([manager.actor.personId]);
  expect(ids(view.steps[0]!.mayPass)).toEqual([approver.actor.personId]);
});

it('R-081h says before anybody tries why an approval would count for nothing; a rejection stays open', async () => {
  await installPolicy(db, { steps: [step({ role: 'MANAGER' })] });
  const { requestId } = await doubts.requested();
  const refusals = async (ctx: LookingContext) => {
    const view = await getRequest(ctx, requestId);
    return [view?.approveRefusal, view?.decideRefusal];
  };
  expect(await refusals(approver)).toEqual(['NOT_IN_GROUP', null]);
  expect(await refusals(manager)).toEqual([null, null]);
  await installPolicy(db, { removes: true });
  expect(await refusals(manager)).toEqual(['NO_APPROVAL_POLICY', null]);
});

it('R-081m a reason that is too short by now has passed no step of the policy in force, and carries nothing', async () => {
  await installPolicy(db, { steps: [step({ count: 2 })] });
  const { requestId, verdict } = await doubts.requested();
  expect(await decideRequest(manager, verdict({ rationale: 'ten letter' }))).toMatchObject({
    outcome: 'done',
  });
  await installPolicy(db, { steps: [step({ count: 2 })], minRationale: 30 });
  expect((await getRequest(approver, requestId))!.steps).toMatchObject([{ missing: 2, passedBy: [] }]);
  expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
  const waits = (await getRequest(approver, requestId))!;
  expect([waits.state, waits.steps.map(({ missing }) => missing)]).toEqual(['PENDING', [1]]);
  const third = await desk.desk({ roles: ['APPROVER'] });
  // Whose right is newer than the request decides nothing of it.
  expect(await decideRequest(third, verdict())).toMatchObject({ outcome: 'refused', code: 'RIGHT_TOO_NEW' });
  await installPolicy(db, { steps: [step({ count: 2 })] });
  expect((await getRequest(approver, requestId))!.steps).toMatchObject([{ missing: 0 }]);
});
