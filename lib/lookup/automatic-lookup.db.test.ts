import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { CONNECTOR, lookupFixture, SECRET, type LookupFixture } from '@/lib/testing/lookup-fixture';
import { lookUpAutomatically } from './automatic-lookup';

let db: TestDatabase;
let fixture: LookupFixture;
beforeAll(async () => {
  db = await testDatabase();
  fixture = await lookupFixture(db);
});
afterAll(async () => {
  await fixture.close();
  await db.drop();
});
beforeEach(async () => {
  await db.setClock(null);
  await fixture.connect();
  await db.pool('owner').query('DELETE FROM review.connector_slots');
  fixture.asked.length = 0;
  fixture.notes.length = 0;
});

const run = (exceptionId: string, more: object = {}) =>
  lookUpAutomatically(db.pool('worker'), fixture.asking, { exceptionId, reason: 'opened', ...more }, '1');
const jobsOf = async (exceptionId: string) => {
  const { rows } = await db
    .pool('owner')
    .query<{ payload: unknown; wait: number }>(
      `SELECT j.payload, extract(epoch FROM j.run_at - now())::float8 AS wait FROM graphile_worker._private_jobs j WHERE j.key = $1`,
      [`lookup:${exceptionId}`],
    );
  return rows;
};
const events = async (exceptionId: string) => {
  const { rows } = await db
    .pool('owner')
    .query<{ event: string; detail: Record<string, unknown> }>(
      'SELECT event, detail FROM review.exception_events WHERE exception_id = $1 ORDER BY at, event_id',
      [exceptionId],
    );
  return rows;
};
const exception = async (exceptionId: string) => {
  const { rows } = await db
    .pool('owner')
    .query<{ version: string; next_check_at: Date; state: string }>(
      'SELECT version, next_check_at, state FROM review.exceptions WHERE exception_id = $1',
      [exceptionId],
    );
  return rows[0]!;
};

describe('lookUpAutomatically', () => {
  it('R-062b an opened exception has its lookup waiting in the queue', async () => {
    const { exceptionId } = await fixture.unknownPayment();
    expect(await jobsOf(exceptionId)).toMatchObject([{ payload: { exceptionId, reason: 'opened' } }]);
  });

  it('R-062c R-059c finds the effect and keeps it as evidence, without secret and without unnamed fields', async () => {
    const { id, key, exceptionId } = await fixture.unknownPayment();
    const before = await exception(exceptionId);
    fixture.answerItems(fixture.payment(key));
    const result = await run(exceptionId);
    expect(result).toMatchObject({ done: 'ASKED', next: { again: false, because: 'CONCLUSIVE' } });
    expect(fixture.asked).toEqual([
      { method: 'GET', url: `/api/payments?reference=${key}`, authorization: `Bearer ${SECRET}` },
    ]);
    const [kept] = await fixture.lookups(id);
    expect(kept).toMatchObject({
      tenant_id: 'tenant-north',
      exception_id: exceptionId,
      subject_key: key,
      subject_account: 'main',
      connector_id: CONNECTOR,
      outcome: 'FOUND',
      external_status: 'done',
      verdict: 'APPLIED',
      result_id: `PAY-${key}`,
      result_url: `https://pay.example.com/${key}`,
      target_system: 'payment',
      target_account: 'main',
      account_match: true,
      content_match: true,
      checked_by: 'system:worker',
      automatic: true,
      matches: 1,
    });
    expect(kept!.question).toMatchObject({
      method: 'GET',
      headers: { authorization: 'Bearer ${secret:STUB}' },
    });
    const all = JSON.stringify([
      kept,
      (await db.pool('owner').query('SELECT * FROM review.audit_events')).rows,
      fixture.notes,
    ]);
    expect(all).not.toContain(SECRET);
    expect(all).not.toContain('outside text that nobody named');
    // A person's open form stays valid: evidence is no change of the exception.
    expect((await exception(exceptionId)).version).toBe(before.version);
    expect((await events(exceptionId)).map(({ event }) => event)).toEqual([
      'opened',
      'evidence',
      'lookup_ended',
    ]);
    const { rows } = await db
      .pool('owner')
      .query(
        `SELECT actor_id, outcome, execution_id, exception_id, operation FROM review.audit_events WHERE event = 'lookup.recorded' AND execution_id = $1`,
        [id],
      );
    expect(rows).toEqual([
      {
        actor_id: 'system:worker',
        outcome: 'done',
        execution_id: id,
        exception_id: exceptionId,
        operation: 'create-payment',
      },
    ]);
  });

  it('R-064g R-065g "not found" before the horizon is asked again at the horizon, then it is conclusive', async () => {
    const { id, exceptionId } = await fixture.unknownPayment();
    fixture.answerItems();
    await fixture.connect({ backoffSeconds: 3_600 });
    const first = await run(exceptionId);
    const [early] = await fixture.lookups(id);
    expect(early).toMatchObject({ outcome: 'NOT_FOUND', verdict: 'NOT_APPLIED' });
    const usableFrom = early!.usable_from as Date;
    // Lease 60 s, grace 30 s, visibility delay 20 s.
    expect((usableFrom.getTime() - (early!.checked_at as Date).getTime()) / 1000).toBeGreaterThan(105);
    expect((usableFrom.getTime() - (early!.checked_at as Date).getTime()) / 1000).toBeLessThan(111);
    if (first.done !== 'ASKED' || !first.next.again) throw new Error('must ask again');
    expect(first.next.at.getTime() - usableFrom.getTime()).toBeLessThan(1_001);
    const [job] = await jobsOf(exceptionId);
    expect(job!.wait).toBeGreaterThan(100);
    expect((await exception(exceptionId)).next_check_at).toEqual(first.next.at);

    await db.advanceClock('112 seconds');
    expect(await run(exceptionId)).toMatchObject({
      done: 'ASKED',
      next: { again: false, because: 'CONCLUSIVE' },
    });
    const [, late] = await fixture.lookups(id);
    expect((late!.checked_at as Date) >= (late!.usable_from as Date)).toBe(true);
  });

  it('R-058m R-065h what is out of reach is asked again with back-off and ends with its history, never as "not found"', async () => {
    const { id, exceptionId } = await fixture.unknownPayment();
    fixture.answer((_request, response) => response.writeHead(503, { 'retry-after': '30' }).end());
    for (const made of [1, 2, 3]) {
      const result = await run(exceptionId);
      expect(result).toMatchObject({ done: 'ASKED', next: { again: true } });
      expect((await jobsOf(exceptionId))[0]!.wait, String(made)).toBeGreaterThan(25);
      await db.advanceClock('10 minutes');
    }
    expect(await run(exceptionId)).toMatchObject({ next: { again: false, because: 'ATTEMPTS_SPENT' } });
    expect(await run(exceptionId)).toEqual({ done: 'NOTHING_TO_DO' });
    const kept = await fixture.lookups(id);
    expect(kept.map((each) => [each.outcome, each.verdict, each.error_class])).toEqual(
      Array.from({ length: 4 }, () => ['INACCESSIBLE', 'UNCLEAR', 'SERVER_ERROR']),
    );
    expect(kept[0]).toMatchObject({ next_place: 'Stub payments' });
    expect((await events(exceptionId)).at(-1)).toMatchObject({
      event: 'lookup_ended',
      detail: { because: 'ATTEMPTS_SPENT' },
    });
    expect(await exception(exceptionId)).toMatchObject({ state: 'OPEN' });
  });

  it('R-065i asks again while the effect is under way', async () => {
    const { key, exceptionId } = await fixture.unknownPayment();
    fixture.answerItems(fixture.payment(key, { status: 'pending' }));
    expect(await run(exceptionId)).toMatchObject({ next: { again: true } });
    fixture.answerItems(fixture.payment(key));
    expect(await run(exceptionId)).toMatchObject({ next: { again: false, because: 'CONCLUSIVE' } });
  });

  it('R-061m two effects open DUPLICATE_RESULT with both ids, once', async () => {
    const { id, key, exceptionId } = await fixture.unknownPayment();
    fixture.answerItems(fixture.payment(key), fixture.payment(key, { id: 'HAND-2' }));
    expect(await run(exceptionId)).toMatchObject({ next: { again: false, because: 'NEEDS_PERSON' } });
    await run(exceptionId);
    const { rows } = await db
      .pool('owner')
      .query(
        `SELECT kind, state, detail->'candidateIds' AS ids FROM review.exceptions WHERE execution_id = $1 ORDER BY kind`,
        [id],
      );
    expect(rows).toEqual([
      { kind: 'DUPLICATE_RESULT', state: 'OPEN', ids: ['HAND-2', `PAY-${key}`] },
      { kind: 'UNKNOWN_RESULT', state: 'OPEN', ids: null },
    ]);
    const [kept] = await fixture.lookups(id);
    expect(kept).toMatchObject({ outcome: 'MULTIPLE', verdict: 'UNCLEAR', result_id: null, matches: 2 });
  });

  it('R-061n R-065n another account or amount is a mismatch: asked again until the horizon, then for a person', async () => {
    for (const change of [{ account: 'other' }, { amount: 1 }]) {
      const { id, key, exceptionId } = await fixture.unknownPayment();
      fixture.answerItems(fixture.payment(key, change));
      expect(await run(exceptionId)).toMatchObject({ next: { again: true } });
      await db.advanceClock('112 seconds');
      expect(await run(exceptionId)).toMatchObject({ next: { again: false, because: 'NEEDS_PERSON' } });
      const seen = { outcome: 'MISMATCH', verdict: 'UNCLEAR', next_place: 'Stub payments' };
      expect(await fixture.lookups(id)).toMatchObject([seen, seen]);
      await db.setClock(null);
    }
  });

  it('R-060d evidence about an execution that moved meanwhile is kept, and asked again at once', async () => {
    const { id, key, exceptionId } = await fixture.unknownPayment();
    fixture.answer((_request, response) => {
      void db
        .pool('owner')
        .query(
          `UPDATE ledger.executions SET fencing_token = fencing_token + 1, moved_by = 'person' WHERE execution_id = $1`,
          [id],
        )
        .then(() =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ items: [fixture.payment(key)] })),
        );
    });
    const result = await run(exceptionId);
    expect(result).toMatchObject({ done: 'ASKED', next: { again: true } });
    expect((await jobsOf(exceptionId))[0]!.wait).toBeLessThan(1);
    const [kept] = await fixture.lookups(id);
    expect(Number(kept!.execution_version)).toBe(Number((await fixture.ledger.row(id)).version) - 1);
  });

  it('R-062d a tombstone is compared by the fields that an agreeing arrival still holds', async () => {
    const { id, key, exceptionId } = await fixture.unknownPayment();
    await db
      .pool('owner')
      .query('UPDATE ledger.executions SET display_fields = NULL WHERE execution_id = $1', [id]);
    fixture.answerItems(fixture.payment(key));
    expect(await run(exceptionId)).toMatchObject({ next: { because: 'CONCLUSIVE' } });
  });

  it('R-065j nothing is asked for a closed exception, a missing one, or a payload of another shape', async () => {
    const { id, exceptionId } = await fixture.unknownPayment();
    await db
      .pool('owner')
      .query(
        `UPDATE review.exceptions SET state = 'CLOSED', closed_at = now(), closed_by = 'x', closing = 'EXECUTOR' WHERE exception_id = $1`,
        [exceptionId],
      );
    for (const payload of [
      { exceptionId, reason: 'x' },
      { exceptionId: randomUUID(), reason: 'x' },
      { exceptionId: 'x' },
      null,
      [],
    ]) {
      expect(await lookUpAutomatically(db.pool('worker'), fixture.asking, payload, '1')).toEqual({
        done: 'NOTHING_TO_DO',
      });
    }
    expect(await fixture.lookups(id)).toEqual([]);
  });

  it('R-065k a broken audit keeps no evidence and plans nothing', async () => {
    const { id, key, exceptionId } = await fixture.unknownPayment();
    await db
      .pool('owner')
      .query(`DELETE FROM graphile_worker._private_jobs WHERE key = $1`, [`lookup:${exceptionId}`]);
    fixture.answerItems(fixture.payment(key, { status: 'pending' }));
    await db.pool('owner').query('ALTER FUNCTION review.append_audit RENAME TO append_audit_gone');
    try {
      await expect(run(exceptionId)).rejects.toMatchObject({ code: '42883' });
    } finally {
      await db.pool('owner').query('ALTER FUNCTION review.append_audit_gone RENAME TO append_audit');
    }
    expect(await fixture.lookups(id)).toEqual([]);
    expect(await jobsOf(exceptionId)).toEqual([]);
  });
});
