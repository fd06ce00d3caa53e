import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseTexts } from '@/lib/audit/erase-texts';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { testContext } from '@/lib/testing/people';
import { assignException } from '../assign-exception';
import type { LookingContext } from '../desk-context';
import { linkResult } from '../link-result';
import { getTogether } from './get-together';
import { linkTicket } from './link-ticket';
import { lookAt } from './look-at';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let colleague: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  colleague = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

async function act(exceptionId: string, by = operator) {
  const { form } = await desk.seen(by, exceptionId);
  return { exceptionId, exceptionVersion: form.exceptionVersion, operationId: randomUUID() };
}
const together = (ctx: LookingContext, exceptionId: string) =>
  getTogether({ actor: ctx.actor, db: db.pool('app') }, exceptionId);
const looks = (ctx: LookingContext, exceptionId: string, still = true) =>
  lookAt(ctx.pool, ctx.context, exceptionId, still);
const names = (others: Awaited<ReturnType<typeof lookAt>>) => others?.map(({ personId }) => personId);

const TICKET = { address: 'https://tickets.example.com/T-17', label: 'Called Mrs Kim' };

describe('a hand-over and a ticket', () => {
  it('R-049k a note goes with the hand-over, into the timeline and the chain, and is no empty one', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const assigneeId = colleague.actor.personId;
    expect(await assignException(operator, { ...(await act(exceptionId)), assigneeId, note: ' ' })).toEqual({
      ...{ outcome: 'refused', code: 'TEXT_LENGTH' },
    });
    const input = { ...(await act(exceptionId)), assigneeId, note: 'They call back at four.' };
    expect(await assignException(operator, input)).toMatchObject({ outcome: 'done' });
    const { view } = await desk.seen(colleague, exceptionId);
    const [note, given] = view.activity.slice(-2);
    expect(note).toMatchObject({ event: 'commented', detail: { text: input.note, handedTo: assigneeId } });
    expect(given).toMatchObject({ event: 'assigned', detail: { to: assigneeId } });
    expect(await desk.audit({ operationId: input.operationId })).toMatchObject([
      { event: 'exception.assigned', outcome: 'done', body: { to: assigneeId, text: input.note } },
    ]);
  });

  it('R-049k a ticket is linked, replaced and taken away, each on record', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const first = { ...(await act(exceptionId)), ...TICKET };
    expect(await linkTicket(operator, first)).toMatchObject({ outcome: 'done' });
    expect(await linkTicket(operator, first)).toMatchObject({ outcome: 'done', repeated: true });
    expect((await together(colleague, exceptionId)).ticket).toMatchObject(TICKET);
    expect(await desk.audit({ operationId: first.operationId })).toMatchObject([
      {
        event: 'exception.ticket_linked',
        outcome: 'done',
        body: { place: TICKET.address, text: TICKET.label },
      },
    ]);
    await linkTicket(operator, { ...(await act(exceptionId)), address: null, label: null });
    expect((await together(colleague, exceptionId)).ticket).toBeNull();
    const manager = await desk.desk({ roles: ['MANAGER'] });
    expect(await linkTicket(manager, { ...(await act(exceptionId)), ...TICKET })).toMatchObject({
      ...{ outcome: 'refused', code: 'ROLE_MISSING' },
    });
    const south = await desk.desk({ tenants: ['tenant-south'] });
    expect(await together(south, exceptionId)).toEqual({ watching: false, ticket: null, mentionable: [] });
  });

  it.each(['http://tickets.example.com', 'javascript:alert(1)', 'https://a:b@example.com'])(
    'R-049k %s is no ticket, and the database takes no other than https',
    async (address) => {
      const { exceptionId } = await desk.unknownPayment();
      expect(await linkTicket(operator, { ...(await act(exceptionId)), label: 'T', address })).toEqual({
        ...{ outcome: 'refused', code: 'INVALID_INPUT' },
      });
      const insert = db
        .pool('owner')
        .query(`insert into review.ticket_links values ($1, 'http://x.example', 'T', $2, now())`, [
          exceptionId,
          operator.actor.personId,
        ]);
      await expect(insert).rejects.toMatchObject({ constraint: 'ticket_links_address_is_https' });
    },
  );

  it('R-089k erasing the words of work takes its ticket and its notes along, and of a person their wishes', async () => {
    const { id, form } = await doubtFixture(desk, operator).paid();
    const { exceptionId } = form;
    await linkTicket(operator, { ...(await act(exceptionId)), ...TICKET });
    await assignException(operator, {
      ...(await act(exceptionId)),
      ...{ assigneeId: colleague.actor.personId, note: 'Mrs Kim waits.' },
    });
    const { form: seen } = await desk.seen(operator, exceptionId);
    expect(await linkResult(operator, { ...form, exceptionVersion: seen.exceptionVersion })).toMatchObject({
      outcome: 'done',
    });
    await eraseTexts(db.pool('owner'), testContext, { execution: id }, 'DSR-18');
    const { rows } = await db.pool('owner').query(
      `select (select jsonb_agg(to_jsonb(k)) from review.ticket_links k) as tickets,
         (select jsonb_agg(detail) from review.exception_events where exception_id = $1) as events,
         (select jsonb_agg(value) from review.audit_texts join review.audit_events on number = event_number where exception_id = $1) as texts`,
      [exceptionId],
    );
    expect(JSON.stringify(rows)).not.toMatch(/Mrs Kim|T-17/);
    await eraseTexts(db.pool('owner'), testContext, { person: colleague.actor.personId }, 'DSR-19');
    const { rows: left } = await db
      .pool('owner')
      .query('select from review.notifications where person_id = $1', [colleague.actor.personId]);
    expect(left).toEqual([]);
  });
});

describe('who is looking', () => {
  it('R-049l others see it within their tenant, once a person, and it ends by itself', async () => {
    const { exceptionId } = await desk.unknownPayment();
    expect(await looks(operator, exceptionId)).toEqual([]);
    await Promise.all([looks(operator, exceptionId), looks(operator, exceptionId)]);
    expect(names(await looks(colleague, exceptionId))).toEqual([operator.actor.personId]);
    expect(names(await looks(operator, exceptionId))).toEqual([colleague.actor.personId]);
    await looks(operator, exceptionId, false);
    expect(await looks(colleague, exceptionId)).toEqual([]);
    await looks(operator, exceptionId);
    await db.advanceClock('46 seconds');
    expect(await looks(colleague, exceptionId)).toEqual([]);
    const { rows } = await db.pool('owner').query('select person_id from review.presences');
    expect(rows).toEqual([{ person_id: colleague.actor.personId }]);
  });

  it('R-049l nobody looks at, or learns of, what is not theirs; it leaves no event', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const [south, leaving] = await Promise.all([desk.desk({ tenants: ['tenant-south'] }), desk.desk()]);
    const before = await desk.everything();
    expect(await looks(south, exceptionId)).toBeNull();
    expect(await looks(operator, 'no id')).toBeNull();
    await looks(leaving, exceptionId);
    expect(names(await looks(operator, exceptionId))).toEqual([leaving.actor.personId]);
    expect(await desk.everything()).toEqual(before);
    await changePerson(db, leaving.actor.personId, `tenant_ids = '{tenant-south}'`);
    expect(await looks(operator, exceptionId)).toEqual([]);
  });

  it('R-049l many looks at once meet in no error and in one row each', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const people = await Promise.all(Array.from({ length: 5 }, () => desk.desk()));
    await Promise.all([...people, ...people, ...people].map((each) => looks(each, exceptionId)));
    const { rows } = await transaction(db.pool('owner'), testContext, (tx) =>
      tx.query<{ count: number }>(
        'select count(*)::integer as count from review.presences where exception_id = $1',
        [exceptionId],
      ),
    );
    expect(rows[0]!.count).toBe(5);
  });
});
