import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LookingContext } from '@/lib/review/desk-context';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { installPolicy, policyContent, policyForm, step } from '@/lib/testing/policy-forms';
import { listPolicies } from './list-policies';
import { proposePolicy } from './propose-policy';

let db: TestDatabase;
let desk: DeskFixture;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] ??= 'test-only-field-hash-key-0123456789abcdef';
  db = await testDatabase();
  desk = await deskFixture(db);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

async function read({ actor, pool }: LookingContext, cursor: string | null = null, size = 50) {
  const answer = await listPolicies({ actor, db: pool }, { cursor, size });
  if (answer.kind !== 'page') throw new Error('the cursor was refused');
  return answer;
}

it('R-081h everybody of the tenant reads what holds and what waits; who may not confirm is told why', async () => {
  const admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  const operator = await desk.desk();
  await desk.desk({ roles: ['APPROVER'] });
  await installPolicy(db, { minRationale: 25 }, 'pay-out');
  await proposePolicy(admin, await policyForm(db, { minRationale: 30 }, 'send-mail'));
  const rows = (page: Awaited<ReturnType<typeof read>>) =>
    page.rows.map((row) => [
      row.operation,
      row.version,
      row.content.minRationale,
      row.proposal?.confirmRefusal,
    ]);
  const mine = await read(admin);
  expect(mine.mayChange).toBe(true);
  expect(rows(mine)).toEqual([
    ['create-payment', 0, 10, undefined],
    ['pay-out', 1, 25, undefined],
    ['send-mail', 0, 10, 'SELF_APPROVAL'],
  ]);
  expect(mine.rows[2]!.proposal).toMatchObject({
    content: policyContent({ steps: [step()], minRationale: 30 }),
  });
  const second = await read(await desk.desk({ roles: ['ADMIN'], authorities: [] }));
  expect(second.rows[2]!.proposal!.confirmRefusal).toBeNull();
  const theirs = await read(operator);
  expect([theirs.mayChange, theirs.rows[2]!.proposal!.confirmRefusal]).toEqual([false, 'ROLE_MISSING']);
  expect((await read(await desk.desk({ tenants: ['tenant-south'] }))).rows).toEqual([]);
  const first = await read(admin, null, 2);
  expect((await read(admin, first.next, 2)).rows).toEqual(mine.rows.slice(2));
});
