import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getLookupSubject } from '@/lib/lookup/lookup-subject';
import { listLookups } from '@/lib/lookup/list-lookups';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { confirmNotApplied } from './confirm-not-applied';
import type { LookingContext } from './desk-context';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let doubts: DoubtFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  doubts = doubtFixture(desk, operator);
  await desk.ledger.policy('set-flag', { connector_id: 'stub-payments', effect_class: 'REVERSIBLE' });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** Given up by the sweep, its lease and grace long over; nothing is found, and that proves it. */
async function givenUp() {
  const target = { system: 'payment', account: 'main' };
  const started = await desk.ledger.started(randomUUID(), { operation: 'set-flag', target });
  await db.advanceClock('1 hour');
  await desk.ledger.sweep();
  expect(await desk.ledger.row(started.id)).toMatchObject({ state: 'UNKNOWN', unknown_reason: 'LEASE_OVER' });
  const exceptionId = await desk.exceptionOf(started.id);
  desk.answerItems();
  const evidenceId = await doubts.look(exceptionId);
  const confirm = async (evidence: string) => {
    const { form } = await desk.seen(operator, exceptionId);
    return confirmNotApplied(operator, { ...form, evidenceId: evidence, lookAgain: false });
  };
  return { ...started, exceptionId, evidenceId, confirm };
}

const reports = async (id: string) => {
  const { rows } = await db
    .pool('owner')
    .query<{ verb: string }>('SELECT verb FROM ledger.late_reports WHERE execution_id = $1', [id]);
  return rows.map((each) => each.verb);
};
const shown = async (id: string) => (await listLookups(db.pool('app'), id, ['tenant-north']))[0];
const REPORT = { code: 'TIMED_OUT', message: 'sent, no answer' };

describe('an owner heard from after it was given up', () => {
  it('R-064l its late "unknown" takes "not there" its proof; the system is asked again past the new horizon', async () => {
    const { id, token, exceptionId, evidenceId, confirm } = await givenUp();
    expect(await shown(id)).toMatchObject({ fault: null });
    expect(await desk.ledger.report('report_unknown', id, { fencingToken: token, ...REPORT })).toMatchObject({
      code: null,
    });

    expect(await confirm(evidenceId)).toMatchObject({ outcome: 'refused', code: 'HORIZON_NOT_OVER' });
    expect(await shown(id)).toMatchObject({ fault: 'BEFORE_HORIZON' });
    expect(await confirm(await doubts.look(exceptionId))).toMatchObject({ code: 'HORIZON_NOT_OVER' });

    await db.advanceClock('1 hour');
    expect(await confirm(await doubts.look(exceptionId))).toMatchObject({ outcome: 'done' });
  });

  it('R-064l it was at work until it spoke, and says so once however often it repeats itself', async () => {
    const { id, token } = await givenUp();
    const before = await getLookupSubject(db.pool('app'), id);
    for (let turn = 0; turn < 3; turn += 1)
      await desk.ledger.report('report_unknown', id, { fencingToken: token, ...REPORT });
    expect(await reports(id)).toEqual(['report_unknown']);
    const after = await getLookupSubject(db.pool('app'), id);
    expect(after!.horizon.lastActivityAt!.getTime()).toBeGreaterThanOrEqual(before!.askedAt.getTime());
  });

  it('R-064l a fenced owner of an earlier attempt counts as well', async () => {
    const { id, evidenceId, token, confirm } = await givenUp();
    await db
      .pool('owner')
      .query(
        `UPDATE ledger.executions SET unknown_reason = 'DECLARED', moved_by = 'person' WHERE execution_id = $1`,
        [id],
      );
    expect(await desk.ledger.report('report_unknown', id, { fencingToken: token, ...REPORT })).toMatchObject({
      code: 'FENCED',
    });
    expect(await confirm(evidenceId)).toMatchObject({ code: 'HORIZON_NOT_OVER' });
  });

  it('R-064l one that reports past its lease, inside the grace, was at work until then', async () => {
    const target = { system: 'payment', account: 'main' };
    const { id, token } = await desk.ledger.started(randomUUID(), {
      operation: 'set-flag',
      target,
      leaseSeconds: 1,
    });
    await db.advanceClock('20 seconds');
    await desk.ledger.report('report_unknown', id, { fencingToken: token, ...REPORT });
    const row = await desk.ledger.row(id);
    const subject = await getLookupSubject(db.pool('app'), id);
    expect(row).toMatchObject({ state: 'UNKNOWN', unknown_reason: 'REPORTED' });
    expect(subject!.horizon.lastActivityAt).toEqual(row.state_since);
    expect(subject!.horizon.lastActivityAt!.getTime()).toBeGreaterThan(
      (row.lease_expires_at as Date).getTime(),
    );
  });
});
