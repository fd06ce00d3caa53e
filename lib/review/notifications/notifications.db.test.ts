import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { testContext } from '@/lib/testing/people';
import { sweepDesk } from '@/lib/testing/sweep-desk';
import { transaction } from '@/lib/db/transaction';
import { assignException } from '../assign-exception';
import { breakGlass } from '../break-glass/break-glass';
import { commentException } from '../comment-exception';
import { decideRequest } from '../decide-request';
import { deferException } from '../defer-exception';
import type { LookingContext } from '../desk-context';
import { countUnread } from './count-unread';
import { listNotifications } from './list-notifications';
import { markRead } from './mark-read';
import { watchException } from './watch-exception';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let colleague: LookingContext;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] = 'a key of the test';
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  colleague = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const reader = (ctx: LookingContext) => ({ actor: ctx.actor, db: db.pool('app') });
async function inbox(ctx: LookingContext, unreadOnly = false) {
  const answer = await listNotifications(reader(ctx), { unreadOnly, cursor: null, size: 200 });
  if (answer.kind !== 'page') throw new Error(answer.kind);
  return answer.rows;
}
const reasonsOf = async (ctx: LookingContext, exceptionId: string) =>
  (await inbox(ctx)).filter((row) => row.exceptionId === exceptionId).map(({ reason }) => reason);
async function act(exceptionId: string, by = operator) {
  const { form } = await desk.seen(by, exceptionId);
  return { exceptionId, exceptionVersion: form.exceptionVersion, operationId: randomUUID() };
}
const assign = async (exceptionId: string, to: LookingContext, by = operator) =>
  assignException(by, { ...(await act(exceptionId, by)), assigneeId: to.actor.personId });
const remind = () =>
  transaction(db.pool('worker'), testContext, (tx) => tx.query('select review.remind_overdue()'));

describe('who is told', () => {
  it('R-049b whoever gets an exception is told in the transaction that gives it, once, and never the one who acts', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const form = { ...(await act(exceptionId)), assigneeId: colleague.actor.personId };
    expect(await assignException(operator, form)).toMatchObject({ outcome: 'done' });
    expect(await assignException(operator, form)).toMatchObject({ outcome: 'done', repeated: true });
    expect(await reasonsOf(colleague, exceptionId)).toEqual(['ASSIGNED']);
    expect(await assign(exceptionId, operator)).toMatchObject({ outcome: 'done' });
    expect(await reasonsOf(operator, exceptionId)).toEqual([]);
  });

  it('R-049b an act that does not come about tells nobody', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const form = { ...(await act(exceptionId)), assigneeId: colleague.actor.personId };
    const mend = await desk.breakAudit();
    await expect(assignException(operator, form)).rejects.toThrow('the audit is broken');
    await mend();
    expect(await reasonsOf(colleague, exceptionId)).toEqual([]);
  });

  it('R-049c a mention tells the people who were picked', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const mentions = [colleague.actor.personId, operator.actor.personId];
    const told = { ...(await act(exceptionId)), text: 'Do you know this shop?', mentions };
    expect(await commentException(operator, told)).toMatchObject({ outcome: 'done' });
    expect(await reasonsOf(colleague, exceptionId)).toEqual(['MENTIONED']);
    expect(await reasonsOf(operator, exceptionId)).toEqual([]);
  });

  it('R-049c a mention of somebody who may not see it is refused, and nobody is told', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const south = await desk.desk({ tenants: ['tenant-south'] });
    const mentions = [colleague.actor.personId, south.actor.personId];
    expect(
      await commentException(operator, { ...(await act(exceptionId)), text: 'Look here.', mentions }),
    ).toEqual({ outcome: 'refused', code: 'MENTION_NOT_SUITABLE' });
    expect(await reasonsOf(colleague, exceptionId)).toEqual([]);
  });

  it('R-049c whoever is mentioned stays one who may see it until they are told', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const leaving = await desk.desk();
    const form = { ...(await act(exceptionId)), text: 'Look here.', mentions: [leaving.actor.personId] };
    const gate = await db.pool('owner').connect();
    const waiting = async () => {
      const { rowCount } = await db
        .pool('superuser')
        .query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
      return rowCount ?? 0;
    };
    // The comment is judged, and not yet written, when somebody takes the account away.
    await gate.query('begin');
    await gate.query('lock table review.exception_events in share mode');
    const answer = commentException(operator, form);
    await expect.poll(waiting, { timeout: 15_000 }).toBe(1);
    let isGone = false;
    const gone = changePerson(db, leaving.actor.personId, 'disabled_at = ledger.clock()').then(() => {
      isGone = true;
    });
    await expect.poll(async () => isGone || (await waiting()) > 1, { timeout: 15_000 }).toBe(true);
    await gate.query('commit');
    gate.release();
    await gone;
    expect(await answer).toMatchObject({ outcome: 'done' });
    expect(await reasonsOf(leaving, exceptionId)).toEqual(['MENTIONED']);
  });

  it('R-049d a watcher hears once of each act, and not of what they were told more nearly', async () => {
    const { exceptionId } = await desk.unknownPayment();
    expect(await watchException(colleague, { exceptionId, watches: true })).toMatchObject({
      outcome: 'done',
    });
    await commentException(operator, { ...(await act(exceptionId)), text: 'Asked the shop.' });
    expect(await reasonsOf(colleague, exceptionId)).toEqual(['WATCHED']);
    await assignException(operator, {
      ...(await act(exceptionId)),
      ...{ assigneeId: colleague.actor.personId, note: 'The shop calls back at four.' },
    });
    expect((await reasonsOf(colleague, exceptionId)).sort()).toEqual(['ASSIGNED', 'WATCHED']);
    await commentException(operator, { ...(await act(exceptionId)), text: 'They called.' });
    await watchException(colleague, { exceptionId, watches: false });
    await commentException(operator, { ...(await act(exceptionId)), text: 'Asked again.' });
    expect(await reasonsOf(colleague, exceptionId)).toHaveLength(3);
  });

  it('R-049d nobody watches what is not theirs to see', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const south = await desk.desk({ tenants: ['tenant-south'] });
    expect(await watchException(south, { exceptionId, watches: true })).toEqual({
      outcome: 'refused',
      code: 'NOT_FOUND',
    });
    const { rows } = await db
      .pool('owner')
      .query(
        `SELECT refusal_code, body::jsonb ->> 'act' AS act FROM review.audit_events WHERE event = 'access.denied' AND actor_id = $1`,
        [south.actor.personId],
      );
    expect(rows).toEqual([{ refusal_code: 'NOT_FOUND', act: 'exception.watch' }]);
  });

  it('R-049e those who may decide a request are asked, and its requester hears how it ended', async () => {
    const approver = await desk.desk({ roles: ['APPROVER'] });
    const unentitled = await desk.desk({ roles: ['APPROVER'], authorities: [] });
    const doubts = doubtFixture(desk, operator);
    const { requestId, verdict } = await doubts.requested();
    const of = async (ctx: LookingContext) =>
      (await inbox(ctx)).filter((row) => row.requestId === requestId).map(({ reason }) => reason);
    expect(await of(approver)).toEqual(['DECISION_ASKED']);
    expect(await of(unentitled)).toEqual([]);
    expect(await of(operator)).toEqual([]);
    expect(await decideRequest(approver, verdict({ verdict: 'REJECT' }))).toMatchObject({ outcome: 'done' });
    expect(await of(operator)).toEqual(['REQUEST_ENDED']);
  });

  it('R-049e an emergency is told to the managers of its tenant in the same transaction', async () => {
    const manager = await desk.desk({ roles: ['MANAGER'] });
    const south = await desk.desk({ roles: ['MANAGER'], tenants: ['tenant-south'] });
    const alone = await desk.desk({ authorities: ['money', 'break-glass'] });
    const { requestId, digest } = await doubtFixture(desk, operator).requested(alone);
    const used = {
      requestId,
      digest,
      operationId: randomUUID(),
      reason: 'The customer stands at the counter.',
    };
    expect(await breakGlass(alone, used)).toMatchObject({ outcome: 'done' });
    expect((await inbox(manager)).map(({ reason, requestId: id }) => [reason, id])).toEqual([
      ['BREAK_GLASS', requestId],
    ]);
    expect(await inbox(south)).toEqual([]);
  });

  it('R-049f a deferral that is over comes back to its owner', async () => {
    const { exceptionId } = await desk.unknownPayment();
    await assign(exceptionId, colleague);
    const { rows } = await db
      .pool('owner')
      .query<{ until: string }>(`select ledger.instant(ledger.clock() + interval '1 hour') as until`);
    await deferException(operator, {
      ...(await act(exceptionId)),
      ...{ until: rows[0]!.until, place: 'The bank’s console', reason: 'They answer later.' },
    });
    await db.advanceClock('61 minutes');
    await Promise.all([sweepDesk(db), sweepDesk(db)]);
    expect(await reasonsOf(colleague, exceptionId)).toEqual(['DEFERRAL_OVER', 'ASSIGNED']);
  });
});

describe('what only time shows', () => {
  it('R-049g an owner hears once that it is overdue; what nobody owns is one reminder a day for those who may decide it', async () => {
    const owner = await desk.desk();
    const unentitled = await desk.desk({ authorities: [] });
    const { exceptionId } = await desk.unknownPayment();
    await desk.unknownPayment();
    await desk.unknownPayment();
    await assign(exceptionId, owner);
    await db.advanceClock('2 days');
    await Promise.all([remind(), remind(), remind()]);
    const of = async (ctx: LookingContext, ...only: string[]) =>
      (await inbox(ctx)).map(({ reason }) => reason).filter((reason) => only.includes(reason));
    expect(await of(owner, 'OVERDUE', 'UNOWNED')).toEqual(expect.arrayContaining(['OVERDUE', 'UNOWNED']));
    expect(await of(owner, 'OVERDUE', 'UNOWNED')).toHaveLength(2);
    expect(await of(unentitled, 'OVERDUE', 'UNOWNED')).toEqual([]);
    await db.advanceClock('1 day');
    await remind();
    expect(await of(owner, 'OVERDUE')).toHaveLength(1);
    expect(await of(owner, 'UNOWNED')).toHaveLength(2);
  });
});

describe('the inbox', () => {
  it('R-049h holds no words of anybody, and shows nothing of a tenant that was taken away', async () => {
    const leaving = await desk.desk();
    const { exceptionId, key } = await desk.unknownPayment();
    await assignException(operator, {
      ...(await act(exceptionId)),
      ...{ assigneeId: leaving.actor.personId, note: 'Secretly told words.' },
    });
    const { rows } = await db
      .pool('owner')
      .query<{ row: object }>(`select to_jsonb(n) as row from review.notifications n where person_id = $1`, [
        leaving.actor.personId,
      ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`Secretly|${key}`));
    expect(await countUnread(reader(leaving))).toEqual({ count: 1, more: false });
    const moved = { ...leaving, actor: { ...leaving.actor, tenantIds: ['tenant-south'] } };
    expect(await inbox(moved)).toEqual([]);
    expect(await countUnread(reader(moved))).toEqual({ count: 0, more: false });
  });

  it('R-049h is read by its owner alone, up to what was seen, and paged without a gap', async () => {
    const reading = await desk.desk();
    const { exceptionId } = await desk.unknownPayment();
    for (let round = 0; round < 5; round += 1)
      await commentException(operator, {
        ...(await act(exceptionId)),
        ...{ text: `Call ${round}.`, mentions: [reading.actor.personId] },
      });
    const seen: string[] = [];
    for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
      const page = await listNotifications(reader(reading), { unreadOnly: true, cursor, size: 2 });
      if (page.kind !== 'page') throw new Error(page.kind);
      seen.push(...page.rows.map(({ notificationId }) => notificationId));
      cursor = page.next;
    }
    expect(new Set(seen).size).toBe(5);
    expect(await markRead(colleague, { ids: seen })).toMatchObject({ outcome: 'done' });
    expect(await countUnread(reader(reading))).toEqual({ count: 5, more: false });
    await markRead(reading, { ids: [seen[0]] });
    const rest = await inbox(reading, true);
    expect(rest).toHaveLength(4);
    await markRead(reading, { upTo: rest[1]!.madeAt });
    expect(await inbox(reading, true)).toHaveLength(1);
    expect(await markRead(reading, { upTo: 'yesterday' })).toEqual({
      outcome: 'refused',
      code: 'INVALID_INPUT',
    });
  });

  it('R-049h the bell counts to 99', async () => {
    const many = await desk.desk();
    const { exceptionId } = await desk.unknownPayment();
    await db.pool('owner').query(
      `insert into review.notifications (person_id, tenant_id, reason, exception_id, cause)
       select $1, 'tenant-north', 'WATCHED', $2, n::text from generate_series(1, 100) n`,
      [many.actor.personId, exceptionId],
    );
    expect(await countUnread(reader(many))).toEqual({ count: 99, more: true });
  });
});
