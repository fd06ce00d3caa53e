import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit, type AuditEntry } from '@/lib/db/append-audit';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import type { Actor } from '@/lib/domain/actor';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { actorOf, makePerson, makeTenants, testContext } from '@/lib/testing/people';
import { ANY_AUDIT_EVENT, type AuditFilter } from './audit-filter';
import { getAuditEvent } from './get-audit-event';
import { listAuditEvents, type AuditSort } from './list-audit-events';

const EXCEPTION = '0199aaaa-0000-7000-8000-0000000000e1';
const EXECUTION = '0199aaaa-0000-7000-8000-0000000000c1';
const REQUEST = '0199aaaa-0000-7000-8000-0000000000a1';
let db: TestDatabase;
let people: Record<'north' | 'south' | 'manager' | 'admin' | 'both' | 'nobody', Actor>;

beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] = 'a key of the test';
  db = await testDatabase();
  await makeTenants(db, 'tenant-north', 'tenant-south');
  await db.setClock('2026-11-29T09:00:00Z');
  const make = async (name: string, roles: Actor['roles'], tenantIds: string[]) =>
    actorOf(db, await makePerson(db, { email: `${name}@demo.local`, roles, tenantIds }));
  people = {
    north: await make('north', ['OPERATOR'], ['tenant-north']),
    south: await make('south', ['OPERATOR'], ['tenant-south']),
    manager: await make('manager', ['MANAGER'], ['tenant-north']),
    admin: await make('admin', ['ADMIN'], ['tenant-north']),
    both: await make('both', ['ADMIN'], ['tenant-north', 'tenant-south']),
    nobody: await make('nobody', ['OPERATOR'], []),
  };
  const by = (actor: Actor): TransactionContext => ({
    ...testContext,
    actor: { kind: 'person', id: actor.personId },
  });
  const add = (context: TransactionContext, entry: AuditEntry) =>
    transaction(db.pool('owner'), context, (tx) => appendAudit(tx, entry));
  await db.setClock('2026-11-29T10:00:00Z');
  await add(by(people.north), { event: 'session.signed_in', outcome: 'done' });
  await add(by(people.south), { event: 'session.signed_in', outcome: 'done' });
  await add(testContext, {
    event: 'session.sign_in_failed',
    outcome: 'refused',
    refusalCode: 'BAD_CREDENTIALS',
  });
  await add(testContext, {
    event: 'session.sign_in_failed',
    outcome: 'refused',
    refusalCode: 'BAD_CREDENTIALS',
    body: { personId: people.south.personId },
  });
  await db.setClock('2026-11-29T11:00:00Z');
  await add(by(people.north), {
    event: 'reissue.requested',
    outcome: 'done',
    tenantId: 'tenant-north',
    exceptionId: EXCEPTION,
    executionId: EXECUTION,
    approvalRequestId: REQUEST,
    operation: 'create-order',
    body: { rationale: 'CANARY-NORTH 고객이 "다시"\n요청 100%_' },
  });
  await add(by(people.north), {
    event: 'reissue.approved',
    outcome: 'refused',
    refusalCode: 'SELF_APPROVAL',
    tenantId: 'tenant-north',
    approvalRequestId: REQUEST,
    operation: 'create-order',
    body: {
      requestedBy: people.north.personId,
      onBehalfOf: people.manager.personId,
      to: people.south.personId,
      externalStatus: 'held by "Bank"\nuntil noon',
    },
  });
  await add(by(people.south), {
    event: 'exception.commented',
    outcome: 'done',
    tenantId: 'tenant-south',
    operation: 'create-order',
    body: { comment: 'CANARY-SOUTH' },
  });
  for (const { personId } of [people.south, people.north])
    await add(by(people.both), {
      event: 'people.rights_changed',
      outcome: 'done',
      body: { personId, reason: 'They moved.' },
    });
  for (let n = 0; n < 25; n += 1)
    await add(testContext, {
      event: 'sweep.ran_with_changes',
      outcome: 'done',
      tenantId: 'tenant-north',
      body: { n },
    });
});
afterAll(() => db.drop());

async function read(actor: Actor, narrowed: Partial<AuditFilter> = {}): Promise<AuditRecord[]> {
  const answer = await listAuditEvents(
    { actor, db: db.pool('app') },
    { filter: { ...ANY_AUDIT_EVENT, ...narrowed }, sort: '-number', cursor: null, size: 200 },
  );
  if (answer.kind !== 'page') throw new Error('bug: no cursor was given');
  return answer.rows;
}
const kinds = (records: AuditRecord[]) => records.map((record) => `${record.event} ${record.outcome}`);

describe('reading the audit', () => {
  it.each<[string, Partial<AuditFilter>, string[]]>([
    ['action', { events: ['reissue.approved'] }, ['reissue.approved refused']],
    ['outcome', { outcomes: ['refused'], tenants: ['tenant-north'] }, ['reissue.approved refused']],
    ['execution', { executionId: EXECUTION }, ['reissue.requested done']],
    ['exception', { exceptionId: EXCEPTION }, ['reissue.requested done']],
    ['request', { approvalRequestId: REQUEST }, ['reissue.approved refused', 'reissue.requested done']],
    ['operation', { operations: ['create-order'] }, ['reissue.approved refused', 'reissue.requested done']],
    [
      'time',
      { until: '2026-11-29T11:00:00Z', since: '2026-11-29T10:00:00Z', events: ['session.signed_in'] },
      ['session.signed_in done'],
    ],
    ['a text with JSON’s own characters', { text: '"다시"\n요청' }, ['reissue.requested done']],
    ['a told value with JSON’s own characters', { text: '"Bank"\nuntil' }, ['reissue.approved refused']],
    ['a text in another case', { text: 'canary-north' }, ['reissue.requested done']],
    ['a text of wildcards as such', { text: '100%_' }, ['reissue.requested done']],
    ['a refusal’s code', { text: 'self_app' }, ['reissue.approved refused']],
    ['a text that nobody wrote', { text: '%%%' }, []],
  ])('R-088a a manager narrows it by %s', async (_, filter, expected) => {
    expect(kinds(await read(people.manager, filter))).toEqual(expected);
  });

  it('R-088a a manager narrows it by person, and by system actor', async () => {
    expect(kinds(await read(people.manager, { actorId: people.north.personId }))).toEqual([
      'reissue.approved refused',
      'reissue.requested done',
      'session.signed_in done',
    ]);
    expect(
      await read(people.manager, { actorId: 'system:test', events: ['sweep.ran_with_changes'] }),
    ).toHaveLength(25);
  });

  it('R-088b reads a whole story from any of its events, refusals included', async () => {
    const [refused] = await read(people.manager, { events: ['reissue.approved'] });
    const story = await getAuditEvent(
      { actor: people.manager, db: db.pool('app') },
      BigInt(refused?.number ?? 0),
    );
    expect(kinds(story?.story ?? [])).toEqual(['reissue.requested done', 'reissue.approved refused']);
    // Names where the story names people, of the reader's own tenants alone.
    expect(story?.names).toEqual({
      [people.north.personId]: people.north.displayName,
      [people.manager.personId]: people.manager.displayName,
    });
  });

  it('R-098c AZ-05 shows each reader their tenants only, in lists, by id and by text', async () => {
    const north = JSON.stringify(await read(people.north));
    const south = JSON.stringify(await read(people.south));
    expect(north).toContain('CANARY-NORTH');
    expect(north).not.toContain('CANARY-SOUTH');
    expect(south).toContain('CANARY-SOUTH');
    expect(south).not.toContain('CANARY-NORTH');
    expect(await read(people.south, { tenants: ['tenant-north'] })).toEqual([]);
    expect(await read(people.south, { executionId: EXECUTION })).toEqual([]);
    expect(await read(people.south, { text: 'CANARY-NORTH' })).toEqual([]);
    const [secret] = await read(people.north, { executionId: EXECUTION });
    expect(
      await getAuditEvent({ actor: people.south, db: db.pool('app') }, BigInt(secret?.number ?? 0)),
    ).toBeNull();
    expect(await getAuditEvent({ actor: people.south, db: db.pool('app') }, 999_999n)).toBeNull();
    expect(kinds(await read(people.nobody))).toEqual([]);
    const former: Actor = { ...people.north, roles: [] };
    expect(kinds(await read(former))).toEqual(['session.signed_in done']);
    expect(
      await getAuditEvent({ actor: former, db: db.pool('app') }, BigInt(secret?.number ?? 0)),
    ).toBeNull();
  });

  it('R-098c sign-ins show to their person, and to managers and administrators who share a tenant', async () => {
    const sessions: Partial<AuditFilter> = { events: ['session.signed_in', 'session.sign_in_failed'] };
    const actors = async (reader: Actor) =>
      (await read(reader, sessions)).map((record) => `${record.event} ${record.actorId}`);
    expect(await actors(people.north)).toEqual([`session.signed_in ${people.north.personId}`]);
    expect(await actors(people.manager)).toEqual([`session.signed_in ${people.north.personId}`]);
    expect(await actors(people.admin)).toEqual([
      'session.sign_in_failed system:test',
      `session.signed_in ${people.north.personId}`,
    ]);
    expect(await actors(people.south)).toEqual([`session.signed_in ${people.south.personId}`]);
  });

  it('R-098c AZ-05 acts on people show to whom the person’s tenant is granted, whoever acted', async () => {
    const { rows } = await db
      .pool('owner')
      .query<{ number: string }>(
        `select number::text from review.audit_events where event = 'people.rights_changed' order by number`,
      );
    const [south, north] = rows;
    const seen = async (reader: Actor) =>
      (await read(reader, { events: ['people.rights_changed'] })).map(({ number }) => number);
    expect(await seen(people.manager)).toEqual([north?.number]);
    expect(await seen(people.admin)).toEqual([north?.number]);
    const open = (reader: Actor) =>
      getAuditEvent({ actor: reader, db: db.pool('app') }, BigInt(south?.number ?? 0));
    expect([await open(people.manager), await open(people.admin)]).toEqual([null, null]);
    // Who acted sees their own act.
    expect(await seen(people.both)).toEqual([north?.number, south?.number]);
  });

  it.each<AuditSort>(['-number', 'number'])(
    'walks pages of 4 by %s on and back, no row skipped or twice',
    async (sort) => {
      const ctx = { actor: people.manager, db: db.pool('app') };
      const page = async (cursor: string | null) => {
        const answer = await listAuditEvents(ctx, { filter: ANY_AUDIT_EVENT, sort, cursor, size: 4 });
        if (answer.kind !== 'page') throw new Error('bug: our own cursor was refused');
        return answer;
      };
      const seen: string[] = [];
      const pages = [await page(null)];
      for (let last = pages[0]; last?.next; last = pages.at(-1)) pages.push(await page(last.next));
      for (const each of pages) seen.push(...each.rows.map((row) => row.number));
      const all = (await read(people.manager)).map((row) => row.number);
      expect(seen).toEqual(sort === '-number' ? all : all.toReversed());
      const back = await page(pages.at(-1)?.previous ?? null);
      expect(back.rows.map((row) => row.number)).toEqual(pages.at(-2)?.rows.map((row) => row.number));
      expect(pages[0]?.previous).toBeNull();
    },
  );

  it('R-098b a cursor opens for no other reader, filter or order', async () => {
    const first = await listAuditEvents(
      { actor: people.manager, db: db.pool('app') },
      { filter: ANY_AUDIT_EVENT, sort: '-number', cursor: null, size: 4 },
    );
    const cursor = first.kind === 'page' ? first.next : null;
    const again = (actor: Actor, sort: AuditSort, filter: Partial<AuditFilter>) =>
      listAuditEvents(
        { actor, db: db.pool('app') },
        { filter: { ...ANY_AUDIT_EVENT, ...filter }, sort, cursor, size: 4 },
      );
    expect((await again(people.manager, '-number', {})).kind).toBe('page');
    expect((await again(people.admin, '-number', {})).kind).toBe('cursor-refused');
    expect((await again(people.manager, 'number', {})).kind).toBe('cursor-refused');
    expect((await again(people.manager, '-number', { text: 'x' })).kind).toBe('cursor-refused');
    expect((await again({ ...people.manager, tenantIds: ['tenant-south'] }, '-number', {})).kind).toBe(
      'cursor-refused',
    );
  });
});
