import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportExport } from '@/lib/audit/verifier/report.mjs';
import { verifyExport } from '@/lib/audit/verifier/verify-export.mjs';
import type { Role } from '@/lib/domain/actor';
import { insertBulk } from '@/lib/testing/bulk-trail';
import { testDatabase } from '@/lib/testing/database';
import { explaining } from '@/lib/testing/explaining';
import { actorOf, makePerson, makeTenants, testContext } from '@/lib/testing/people';
import { NOW, retirementFixture, type RetirementFixture } from '@/lib/testing/retirement-fixture';
import { ANY_AUDIT_EVENT, type AuditFilter } from './audit-filter';
import type { DeskContext } from './desk-context';
import { exportAudit } from './export-audit';
import { getAuditEvent } from './get-audit-event';
import { listAuditEvents } from './list-audit-events';

describe('after events have left', () => {
  let world: RetirementFixture;
  beforeAll(async () => {
    process.env['FIELD_HASH_KEY'] = 'a key of the test';
    world = await retirementFixture();
    await makeTenants(world.db, 'tenant-north');
    await world.append(12, { tenantId: 'tenant-north', body: { text: 'long ago' } });
    await world.cut();
    await world.db.setClock(NOW);
    await world.retire();
    await world.append(5, { tenantId: 'tenant-north', body: { text: 'stays' } });
    await world.signUp();
  });
  afterAll(() => world.close());

  const as = async (roles: Role[]): Promise<DeskContext> => {
    const { db } = world;
    const email = `${roles.join('-').toLowerCase()}-${Math.random()}@demo.local`;
    const personId = await makePerson(db, { email, roles, tenantIds: ['tenant-north'] });
    const context = { ...testContext, actor: { kind: 'person' as const, id: personId } };
    return { actor: await actorOf(db, personId), pool: db.pool('app'), context };
  };
  const exported = async (filter: Partial<AuditFilter> = {}) => {
    const ctx = await as(['MANAGER', 'ADMIN']);
    const answer = await exportAudit(ctx, { ...ANY_AUDIT_EVENT, ...filter }, 'jsonl');
    if (answer.kind !== 'export') throw new Error(answer.kind);
    return new Response(answer.stream).text();
  };
  const verify = (text: string) => verifyExport(text.split('\n').slice(0, -1), null);

  it('R-088e R-088c an export begins at the anchor and verifies from its own bytes', async () => {
    const text = await exported();
    const found = await verify(text);
    expect(found).toMatchObject({ kind: 'verified', proof: { after: 12n, first: 13n, complete: true } });
    if (found.kind !== 'verified') throw new Error('unreachable');
    expect(found.proof.signed).toBeGreaterThanOrEqual(7);
    expect(reportExport(found).text).toContain('Every number after 12 up to 21 is there');
    expect(text).toContain('onceover-audit-1-12.jsonl');
    const { proof } = (await verify(await exported({ events: ['exception.commented'] }))) as typeof found;
    expect(proof).toMatchObject({ after: 12n, complete: false });
  });

  it.each([
    ['another anchor', /("after":\{"number":"12","hash":")..../, '$10000', { fault: { number: 13n } }],
    ['an anchor further on', /("after":\{"number":)"12"/, '$1"13"', { fault: { number: 13n } }],
    ['no anchor that can be read', /("after":\{"number":)"12"/, '$112', { reason: 'HEADER' }],
    ['its first event gone', /.*"number":"13".*\n/, '', { fault: { number: 13n, reason: 'MISSING' } }],
  ])('R-088e with %s it does not', async (_, find, replacement, found) => {
    const text = await exported();
    expect(text).toMatch(find);
    expect(await verify(text.replace(find, replacement))).toMatchObject(found);
  });

  it('R-088e everybody who reads the audit sees the event that says where older ones went', async () => {
    const { actor, pool } = await as(['OPERATOR']);
    const ctx = { actor, db: pool };
    expect(await getAuditEvent(ctx, 12n)).toBeNull();
    expect((await getAuditEvent(ctx, 14n))?.event.event).toBe('audit.retired');
    const page = await listAuditEvents(ctx, {
      filter: ANY_AUDIT_EVENT,
      sort: 'number',
      cursor: null,
      size: 50,
    });
    if (page.kind !== 'page') throw new Error(page.kind);
    expect(page.rows.map(({ number }) => number)).toEqual(['14', '15', '16', '17', '18', '19']);
  });
});

describe('an audit of several partitions', () => {
  it('R-088e is listed along the indexes of each, and never read whole', async () => {
    const db = await testDatabase();
    await makeTenants(db, 'tenant-north');
    const owner = db.pool('owner');
    const rows = 3_000;
    for (let first = 1; first <= 3 * rows; first += rows)
      for (const table of ['audit_events', 'audit_texts'])
        await owner.query(`alter table review.${table} detach partition review.${table}_${first};
          alter table review.${table} attach partition review.${table}_${first} for values from (${first}) to (${first + rows});
          select review.open_audit_partition('${table}', ${first + rows})`);
    await insertBulk(db.pool('superuser'), 4 * rows, 1);
    await db.pool('superuser').query('analyze review.audit_events');
    const personId = await makePerson(db, {
      email: 'a@demo.local',
      roles: ['MANAGER'],
      tenantIds: ['tenant-north'],
    });
    const { plans, reader } = explaining(db.pool('app'));
    const ctx = { actor: await actorOf(db, personId), db: reader };
    const filters: Partial<AuditFilter>[] = [
      {},
      { actorId: '0199aaaa-0000-7000-8000-00000000000a' },
      { exceptionId: '0199aaaa-0000-7000-8000-00000000000b' },
    ];
    for (const filter of filters)
      for (const sort of ['-number', 'number'] as const) {
        const page = await listAuditEvents(ctx, {
          filter: { ...ANY_AUDIT_EVENT, ...filter },
          sort,
          cursor: null,
          size: 50,
        });
        if (page.kind !== 'page') throw new Error(page.kind);
        expect(page.rows).toHaveLength(50);
      }
    await getAuditEvent(ctx, BigInt(rows + 5));
    await db.drop();
    for (const plan of plans) {
      expect(plan).not.toMatch(/Seq Scan on audit_(events|texts)/);
      if (plan.includes('audit_events')) expect(plan).toMatch(/audit_events_\d+_\w+/);
    }
  }, 240_000);
});
