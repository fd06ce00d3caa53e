import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { SWEEP } from '@/lib/testing/sweep-desk';
import { assignException } from '../assign-exception';
import { deferException } from '../defer-exception';
import type { LookingContext } from '../desk-context';
import { setAssignmentRule } from './set-rule';

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

/** What the sweep calls, with the rows of exceptions and marks that it read for it. */
async function reads(call: string): Promise<{ answer: number; read: number }> {
  return transaction(db.pool('owner'), SWEEP, async (tx) => {
    const readSoFar = async () => {
      const { rows } = await tx.query<{ read: number }>(
        `select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::integer as read from pg_stat_xact_all_tables
          where schemaname = 'review' and relname in ('exceptions', 'sweep_marks')`,
      );
      return rows[0]!.read;
    };
    const before = await readSoFar();
    const { rows } = await tx.query<{ answer: number }>(`select ${call} as answer`);
    return { answer: rows[0]!.answer, read: (await readSoFar()) - before };
  });
}

async function openMany(many: number): Promise<void> {
  const superuser = db.pool('superuser');
  await superuser.query(
    `insert into review.exceptions (tenant_id, kind, operation, severity, due_at, reason_code, detail, opened_at, updated_at)
       select 'tenant-north', 'ORPHAN_EFFECT', 'create-payment', 1, now() + interval '9 days', 'IN_PROVIDER_REPORT',
              jsonb_build_object('system', 'bank', 'resultId', gen_random_uuid()), now(), now() from generate_series(1, $1)`,
    [many],
  );
  await superuser.query('analyze review.exceptions, review.sweep_marks');
}

const overdueOf = async (ctx: LookingContext) => {
  const { rows } = await db
    .pool('owner')
    .query(`select from review.notifications where person_id = $1 and reason = 'OVERDUE'`, [
      ctx.actor.personId,
    ]);
  return rows.length;
};

describe('what the sweep has to do', () => {
  it('R-049o is found by its marks: what is not due costs nothing', async () => {
    await openMany(4_000);
    const admin = await desk.desk({ roles: ['ADMIN'] });
    const rule = { tenantId: 'tenant-north', operation: null, authority: null, assigneeId: null };
    await setAssignmentRule(admin, { ...rule, mode: 'ROUND_ROBIN', operationId: randomUUID() });
    const { answer, read } = await reads('review.apply_assignment_rules()');
    expect(answer).toBe(50);
    expect(read).toBeLessThan(1_000);
    const reminded = await reads('review.remind_overdue()');
    expect(reminded).toMatchObject({ answer: 0 });
    expect(reminded.read).toBeLessThan(100);
  });

  it('R-049o an owner who gets what is overdue already hears of it, and one who defers it does not', async () => {
    const [first, second] = [await desk.desk(), await desk.desk()];
    const { exceptionId } = await desk.unknownPayment();
    const act = async (by = operator) => {
      const { form } = await desk.seen(by, exceptionId);
      return { exceptionId, exceptionVersion: form.exceptionVersion, operationId: randomUUID() };
    };
    const give = async (to: LookingContext) =>
      assignException(operator, { ...(await act()), assigneeId: to.actor.personId });
    await give(first);
    expect((await reads('review.remind_overdue()')).answer).toBe(0);
    await db.advanceClock('2 days');
    await reads('review.remind_overdue()');
    expect(await overdueOf(first)).toBe(1);
    const { rows: marks } = await db
      .pool('owner')
      .query('select remind_at from review.sweep_marks where exception_id = $1', [exceptionId]);
    expect(marks).toEqual([{ remind_at: null }]);
    await give(second);
    await give(first);
    await give(second);
    await reads('review.remind_overdue()');
    expect([await overdueOf(first), await overdueOf(second)]).toEqual([1, 1]);
    const third = await desk.desk();
    await give(third);
    const until = new Date(Date.now() + 72 * 3_600_000).toISOString();
    const words = { until, place: 'The bank, list of payments', reason: 'They answer in the morning.' };
    expect(await deferException(third, { ...(await act(third)), ...words })).toMatchObject({
      outcome: 'done',
    });
    await reads('review.remind_overdue()');
    expect(await overdueOf(third)).toBe(0);
    await db.advanceClock('2 days');
    await reads('review.remind_overdue()');
    expect(await overdueOf(third)).toBe(1);
  });
});
