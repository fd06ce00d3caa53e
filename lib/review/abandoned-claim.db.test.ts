// A claim that its owner abandoned, before and after its effect.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { standingOf } from '@/lib/domain/evidence-standing';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import type { LookingContext } from './desk-context';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

async function pageOf(executionId: string, after: string) {
  await db.advanceClock(after);
  await desk.ledger.sweep();
  const { view } = await desk.seen(operator, await desk.exceptionOf(executionId));
  return { view, standing: standingOf(view.evidence, view.execution!, false).standing };
}

it('R-048b before its effect it is not critical, nothing has happened, and extending comes before ending it', async () => {
  const claimed = await desk.ledger.claim(randomUUID(), { leaseSeconds: 1 });
  const { view, standing } = await pageOf(claimed.execution!.executionId, '60 seconds');
  expect(view.exception).toMatchObject({
    kind: 'STUCK_PROCESSING',
    reasonCode: 'NOBODY_TOOK_OVER',
    severity: 2,
  });
  expect(standing).toBe('NEVER_STARTED');
  const order = view.offers.map((offer) => offer.decision);
  expect(order.indexOf('EXTEND')).toBeLessThan(order.indexOf('FINAL_FAILURE'));
});

it('R-048b after its effect it ranks by what the effect can cost', async () => {
  const { id } = await desk.ledger.started(undefined, { leaseSeconds: 1 });
  const { view } = await pageOf(id, '2 seconds');
  expect(view.exception).toMatchObject({ kind: 'STUCK_PROCESSING', severity: 1 });
});
