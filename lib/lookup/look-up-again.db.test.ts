import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TransactionContext } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { asActor } from '@/lib/testing/ledger-fixture';
import { lookupFixture, type LookupFixture } from '@/lib/testing/lookup-fixture';
import { listLookups } from './list-lookups';
import { lookUpAgain } from './look-up-again';

let db: TestDatabase;
let fixture: LookupFixture;
let operator: TransactionContext;
beforeAll(async () => {
  db = await testDatabase();
  fixture = await lookupFixture(db);
  operator = await fixture.person();
});
afterAll(async () => {
  await fixture.close();
  await db.drop();
});
beforeEach(async () => {
  await db.setClock(null);
  await fixture.connect();
  fixture.asked.length = 0;
  await db.pool('owner').query('DELETE FROM review.connector_slots');
});

const ask = (exceptionId: string, context = operator) =>
  lookUpAgain(db.pool('app'), context, fixture.asking, exceptionId);
const audited = async (exceptionId: string | null) => {
  const { rows } = await db
    .pool('owner')
    .query<{ event: string; outcome: string; refusal_code: string | null; actor_id: string }>(
      `SELECT event, outcome, refusal_code, actor_id FROM review.audit_events WHERE exception_id IS NOT DISTINCT FROM $1 ORDER BY number`,
      [exceptionId],
    );
  return rows;
};

describe('lookUpAgain', () => {
  it("R-062e a person asks now; the evidence carries the person's name", async () => {
    const { id, key, exceptionId } = await fixture.unknownPayment();
    fixture.answerItems(fixture.payment(key));
    const result = await ask(exceptionId);
    expect(result).toMatchObject({ outcome: 'done', found: 'FOUND', verdict: 'APPLIED' });
    expect(await fixture.lookups(id)).toMatchObject([
      { checked_by: operator.actor.id, automatic: false, next_check_at: null },
    ]);
    expect(await audited(exceptionId)).toEqual([
      { event: 'lookup.requested', outcome: 'done', refusal_code: null, actor_id: operator.actor.id },
      { event: 'lookup.recorded', outcome: 'done', refusal_code: null, actor_id: operator.actor.id },
    ]);
    const { rows } = await db
      .pool('owner')
      .query('SELECT FROM graphile_worker._private_jobs WHERE key = $1', [`lookup:${exceptionId}`]);
    expect(rows).toHaveLength(1); // still the one of the opening: a person's lookup plans none
  });

  it('R-062f who may not act on the operation asks nothing, and the refusal is audited', async () => {
    const cases: [Parameters<LookupFixture['person']>[0], string, boolean][] = [
      [{ roles: ['MANAGER'] }, 'ROLE_MISSING', true],
      [{ roles: ['ADMIN'] }, 'ROLE_MISSING', true],
      [{ authorities: [] }, 'AUTHORITY_MISSING', true],
      [{ tenants: ['tenant-south'] }, 'NOT_FOUND', false],
      [{ tenants: [] }, 'NOT_FOUND', false],
    ];
    for (const [rights, code, named] of cases) {
      const { id, exceptionId } = await fixture.unknownPayment();
      const person = await fixture.person(rights);
      expect(await ask(exceptionId, person)).toEqual({ outcome: 'refused', code });
      expect(await audited(named ? exceptionId : null)).toContainEqual({
        event: 'lookup.requested',
        outcome: 'refused',
        refusal_code: code,
        actor_id: person.actor.id,
      });
      expect(await fixture.lookups(id)).toEqual([]);
    }
    expect(await ask(randomUUID())).toEqual({ outcome: 'refused', code: 'NOT_FOUND' });
    expect(fixture.asked).toEqual([]);
  });

  it('R-062g rights are those of the moment', async () => {
    const { exceptionId } = await fixture.unknownPayment();
    const person = await fixture.person();
    await asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
      client.query('UPDATE review.people SET disabled_at = now() WHERE person_id = $1', [person.actor.id]),
    );
    await expect(ask(exceptionId, person)).rejects.toMatchObject({ code: 'OA003' });
    expect(fixture.asked).toEqual([]);
  });

  it('R-062h a closed exception and an operation without connector say so', async () => {
    const closed = await fixture.unknownPayment();
    await db
      .pool('owner')
      .query(
        `UPDATE review.exceptions SET state = 'CLOSED', closed_at = now(), closed_by = 'x', closing = 'EXECUTOR' WHERE exception_id = $1`,
        [closed.exceptionId],
      );
    expect(await ask(closed.exceptionId)).toEqual({ outcome: 'refused', code: 'EXCEPTION_CLOSED' });
    const manual = await fixture.unknownPayment({ operation: 'by-hand-only' });
    expect(await ask(manual.exceptionId)).toEqual({ outcome: 'refused', code: 'NO_CONNECTOR' });
  });

  it("R-057f a person waits for the connector's rate, but not for long", async () => {
    await fixture.connect({ ratePerSecond: 0.2 });
    const { exceptionId } = await fixture.unknownPayment();
    fixture.answerItems();
    expect(await ask(exceptionId)).toMatchObject({ outcome: 'done' });
    expect(await ask(exceptionId)).toEqual({ outcome: 'refused', code: 'CONNECTOR_BUSY' });
    expect(fixture.asked).toHaveLength(1);
  });

  it('R-057g a hanging system holds no database connection', async () => {
    await fixture.connect({ timeoutMs: 1_500 });
    const { exceptionId } = await fixture.unknownPayment();
    let open: number | undefined;
    fixture.answer(() => {
      void db
        .pool('owner')
        .query<{ count: number }>(
          `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = current_database() AND usename = 'onceover_app' AND state <> 'idle'`,
        )
        .then(({ rows }) => (open = rows[0]!.count));
    });
    expect(await ask(exceptionId)).toMatchObject({ found: 'INACCESSIBLE', verdict: 'UNCLEAR' });
    expect(open).toBe(0);
  });
});

describe('listLookups', () => {
  it('R-062i shows the newest first, with what it is good for', async () => {
    const { id, key, exceptionId } = await fixture.unknownPayment();
    fixture.answerItems();
    await ask(exceptionId);
    fixture.answerItems(fixture.payment(key));
    await ask(exceptionId);
    const list = () => listLookups(db.pool('app'), id, ['tenant-north']);
    expect(
      (await list()).map(({ outcome, verdict, fault, linkable }) => ({ outcome, verdict, fault, linkable })),
    ).toEqual([
      { outcome: 'FOUND', verdict: 'APPLIED', fault: null, linkable: true },
      { outcome: 'NOT_FOUND', verdict: 'NOT_APPLIED', fault: 'BEFORE_HORIZON', linkable: false },
    ]);
    expect((await list())[0]).toMatchObject({
      checkedByName: 'Person',
      resultId: `PAY-${key}`,
      comparison: [{ agrees: true }, { agrees: true }, { agrees: true }],
    });
    await db.advanceClock('20 minutes');
    expect((await list())[0]).toMatchObject({ fault: 'STALE', linkable: false });
  });

  it('R-062i another tenant sees none', async () => {
    const { id, exceptionId } = await fixture.unknownPayment();
    fixture.answerItems();
    await ask(exceptionId);
    expect(await listLookups(db.pool('app'), id, ['tenant-south'])).toEqual([]);
    expect(await listLookups(db.pool('app'), id, [])).toEqual([]);
  });
});
