import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evidenceFault } from '@/lib/domain/evidence';
import type { Verdict } from '@/lib/domain/lookup-verdict';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { asActor, type Json } from '@/lib/testing/ledger-fixture';
import { CONNECTOR, lookupFixture, type LookupFixture } from '@/lib/testing/lookup-fixture';

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

const SYSTEM = { kind: 'system', id: 'system:worker' } as const;
const record = (lookup: Json, role: 'app' | 'worker' = 'worker') =>
  asActor(db.pool(role), SYSTEM, async (client) => {
    const { rows } = await client.query<{ id: string }>('SELECT review.record_lookup($1) AS id', [lookup]);
    return rows[0]!.id;
  });

async function lookupOf(executionId: string, change: Json = {}): Promise<Json> {
  const row = await fixture.ledger.row(executionId);
  return {
    executionId,
    exceptionId: null,
    executionVersion: row.version,
    connectorId: CONNECTOR,
    connectorVersion: 1,
    question: { method: 'GET', url: 'https://pay.example.com/', headers: {} },
    outcome: 'NOT_FOUND',
    verdict: 'NOT_APPLIED',
    comparison: [],
    candidates: [],
    matches: 0,
    usableFrom: '2020-01-01T00:00:00Z',
    checkedAt: '2026-01-01T00:00:00Z',
    durationMs: 12,
    ...change,
  };
}
const FOUND = {
  outcome: 'FOUND',
  externalStatus: 'done',
  verdict: 'APPLIED',
  resultId: 'PAY-1',
  accountMatch: true,
  contentMatch: true,
  matches: 1,
};

describe('review.lookups', () => {
  it('R-059d is only ever added to, and only through its functions', async () => {
    const { id } = await fixture.unknownPayment();
    const lookupId = await record(await lookupOf(id));
    for (const role of ['superuser', 'owner'] as const) {
      for (const sql of [
        `UPDATE review.lookups SET verdict = 'APPLIED' WHERE lookup_id = '${lookupId}'`,
        `DELETE FROM review.lookups WHERE lookup_id = '${lookupId}'`,
        'TRUNCATE review.lookups CASCADE',
        `SET session_replication_role = replica; DELETE FROM review.lookups WHERE lookup_id = '${lookupId}'`,
      ]) {
        if (role === 'owner' && sql.startsWith('SET')) continue;
        const client = await db.pool(role).connect();
        await expect(client.query(sql)).rejects.toMatchObject({ code: 'OO001' });
        client.release(true);
      }
    }
    for (const role of ['app', 'worker', 'signer'] as const) {
      for (const sql of [
        'INSERT INTO review.lookups DEFAULT VALUES',
        `UPDATE review.lookups SET verdict = 'APPLIED'`,
        'DELETE FROM review.lookups',
        'SELECT review.add_lookup(NULL, 1, NULL, NULL, NULL)',
      ]) {
        await expect(db.pool(role).query(sql), `${role}: ${sql}`).rejects.toMatchObject({ code: '42501' });
      }
    }
    await expect(db.pool('signer').query('SELECT FROM review.lookups')).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('R-058n R-061o the database refuses evidence that cannot be', async () => {
    const { id } = await fixture.unknownPayment();
    const impossible: [Json, string][] = [
      [{ outcome: 'INACCESSIBLE', verdict: 'NOT_APPLIED' }, 'lookups_doubt_is_unclear'],
      [{ outcome: 'INCONCLUSIVE', verdict: 'APPLIED' }, 'lookups_doubt_is_unclear'],
      [{ outcome: 'MULTIPLE', verdict: 'APPLIED' }, 'lookups_doubt_is_unclear'],
      [{ outcome: 'MISMATCH', verdict: 'APPLIED', accountMatch: false }, 'lookups_doubt_is_unclear'],
      [{ ...FOUND, externalStatus: null }, 'lookups_unlisted_status_is_unclear'],
      [{ ...FOUND, externalStatus: 'pending' }, 'lookups_applied_is_done'],
      [{ ...FOUND, externalStatus: 'failed' }, 'lookups_applied_is_done'],
      [{ ...FOUND, accountMatch: false }, 'lookups_found_agrees'],
      [{ ...FOUND, contentMatch: null }, 'lookups_found_agrees'],
      [
        { outcome: 'MISMATCH', verdict: 'UNCLEAR', accountMatch: true, contentMatch: true },
        'lookups_mismatch_differs',
      ],
      [{ checkedAt: '2999-01-01T00:00:00Z' }, 'lookups_not_asked_later_than_recorded'],
      [{ connectorVersion: null }, 'lookups_by_connector_or_person'],
      [{ resultUrl: 'javascript:alert(1)' }, 'lookups_result_url_check'],
    ];
    for (const [change, constraint] of impossible) {
      await expect(record(await lookupOf(id, change)), JSON.stringify(change)).rejects.toMatchObject({
        code: '23514',
        constraint,
      });
    }
    await expect(record(await lookupOf(id, { connectorId: null }))).rejects.toMatchObject({ code: 'OO005' });
    const stranger = { ...(await lookupOf(id)), executionId: randomUUID() };
    await expect(record(stranger)).rejects.toMatchObject({ code: 'P0002' });
    expect(await fixture.lookups(id)).toEqual([]);
  });

  it('R-060e is bound to its subject by the database, whatever the caller says', async () => {
    const { id, key } = await fixture.unknownPayment();
    const other = await fixture.unknownPayment();
    await record({
      ...(await lookupOf(id)),
      subjectKey: 'forged',
      tenantId: 'tenant-south',
      checkedBy: 'forged',
      automatic: false,
    });
    const row = await fixture.ledger.row(id);
    expect(await fixture.lookups(id)).toMatchObject([
      {
        tenant_id: 'tenant-north',
        subject_key: key,
        subject_fingerprint: row.fingerprint,
        subject_account: 'main',
        checked_by: 'system:worker',
        automatic: true,
      },
    ]);
    await expect(record(await lookupOf(id, { exceptionId: other.exceptionId }))).rejects.toMatchObject({
      code: 'OO005',
    });
  });

  it('R-059e needs an actor, and tells two findings apart by their digests', async () => {
    const { id } = await fixture.unknownPayment();
    await expect(
      db.pool('worker').query('SELECT review.record_lookup($1)', [await lookupOf(id)]),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(OA001|23502)$/) as string });
    await record(await lookupOf(id, FOUND));
    await record(await lookupOf(id, FOUND));
    const digests = (await fixture.lookups(id)).map((each) => each.evidence_digest);
    expect(new Set(digests).size).toBe(2);
  });

  it('R-061p a double effect that a person has settled does not open again for the same two', async () => {
    const { id } = await fixture.unknownPayment();
    const several = {
      outcome: 'MULTIPLE',
      verdict: 'UNCLEAR',
      matches: 2,
      candidates: [{ id: 'B' }, { id: 'A' }],
    };
    await record(await lookupOf(id, several));
    const kinds = async () =>
      (await fixture.ledger.exceptions(id)).map(({ kind, state }) => `${kind} ${state}`);
    expect(await kinds()).toEqual(['UNKNOWN_RESULT OPEN', 'DUPLICATE_RESULT OPEN']);
    // What a decision leaves behind; the decision itself is proven where it is made.
    await db.pool('superuser').query(
      `ALTER TABLE review.exceptions DROP CONSTRAINT exceptions_decision_is_named;
       UPDATE review.exceptions SET state = 'CLOSED', closed_at = now(), closed_by = 'p', closing = 'DECISION' WHERE execution_id = '${id}' AND kind = 'DUPLICATE_RESULT'`,
    );
    await record(await lookupOf(id, several));
    expect(await kinds()).toEqual(['UNKNOWN_RESULT OPEN', 'DUPLICATE_RESULT CLOSED']);
    await record(await lookupOf(id, { ...several, candidates: [{ id: 'A' }, { id: 'C' }] }));
    expect(await kinds()).toEqual([
      'UNKNOWN_RESULT OPEN',
      'DUPLICATE_RESULT CLOSED',
      'DUPLICATE_RESULT OPEN',
    ]);
  });

  it('R-061q several things found for a deletion are no double effect', async () => {
    await fixture.ledger.policy('delete-thing', { connector_id: CONNECTOR, proof: 'ABSENCE' });
    const { id } = await fixture.unknownPayment({ operation: 'delete-thing' });
    await record(
      await lookupOf(id, {
        outcome: 'MULTIPLE',
        verdict: 'UNCLEAR',
        matches: 2,
        candidates: [{ id: 'A' }, { id: 'B' }],
      }),
    );
    expect((await fixture.ledger.exceptions(id)).map(({ kind }) => kind)).toEqual(['UNKNOWN_RESULT']);
  });

  it('R-060f R-064i pages and decisions judge evidence alike', async () => {
    const at = (seconds: number) => new Date(Date.UTC(2026, 5, 1, 12) + seconds * 1000);
    const CODES: Record<string, string> = {
      EVIDENCE_WRONG_SUBJECT: 'WRONG_SUBJECT',
      EVIDENCE_STALE: 'STALE',
      HORIZON_NOT_OVER: 'BEFORE_HORIZON',
      EVIDENCE_PROVES_NOTHING: 'NO_LONGER_QUERYABLE',
    };
    const seen = new Set<string | null>();
    for (const verdict of ['APPLIED', 'NOT_APPLIED'] as Verdict[]) {
      for (const [checked, from, until, older] of [
        [0, -10, null, 0],
        [0, 0, null, 0],
        [0, 1, null, 0],
        [-900, -2_000, null, 0],
        [-901, -2_000, null, 0],
        [0, -10, 10, 0],
        [-10, -20, 0, 0],
        [0, -10, null, 1],
      ] as [number, number, number | null, number][]) {
        const { id } = await fixture.unknownPayment();
        const row = await fixture.ledger.row(id);
        const version = String(Number(row.version) - older);
        const base = verdict === 'APPLIED' ? FOUND : {};
        await db.setClock(at(0).toISOString());
        const lookupId = await record(
          await lookupOf(id, {
            ...base,
            executionVersion: version,
            checkedAt: at(checked),
            usableFrom: at(from),
            usableUntil: until === null ? null : at(until),
          }),
        );
        const { rows } = await db.pool('owner').query<{ code: string | null }>(
          `SELECT review.evidence_refusal($1, e, ledger.policy_for(e.tenant_id, e.operation), $2, ledger.clock()) AS code
             FROM ledger.executions e WHERE execution_id = $3`,
          [lookupId, verdict, id],
        );
        await db.setClock(null);
        const subject = {
          executionId: id,
          executionVersion: String(row.version),
          key: String(row.idempotency_key),
          fingerprint: String(row.fingerprint),
          contentVersion: null,
          account: 'main',
        };
        const evidence = {
          ...subject,
          executionVersion: version,
          verdict,
          checkedAt: at(checked),
          usableFrom: at(from),
          usableUntil: until === null ? null : at(until),
        };
        const code = rows[0]!.code;
        const fault = evidenceFault(evidence, subject, at(0), 900);
        // Decisions look at usable_until for "not applied" alone; only such evidence has one.
        if (verdict === 'NOT_APPLIED' || until === null)
          expect(fault).toBe(code === null ? null : CODES[code]);
        seen.add(fault);
      }
    }
    expect([...seen].sort()).toEqual([
      'BEFORE_HORIZON',
      'NO_LONGER_QUERYABLE',
      'STALE',
      'WRONG_SUBJECT',
      null,
    ]);
  });
});
