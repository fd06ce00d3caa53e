import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TransactionContext } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { CONNECTOR, lookupFixture, type LookupFixture } from '@/lib/testing/lookup-fixture';
import { manualEvidenceSchema, recordManualEvidence, type ManualEvidence } from './manual-evidence';

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

async function seen(more: Partial<ManualEvidence> & { operation?: string } = {}, context = operator) {
  const { operation, ...change } = more;
  const { id, exceptionId } = await fixture.unknownPayment(operation === undefined ? {} : { operation });
  const row = await fixture.ledger.row(id);
  const input = manualEvidenceSchema.parse({
    operationId: randomUUID(),
    exceptionId,
    executionVersion: row.version,
    place: 'Payments console, list of today',
    seen: 'One payment with this reference, settled at 12:01.',
    verdict: 'APPLIED',
    checkedAt: new Date(Date.now() - 1_000).toISOString(),
    resultId: `PAY-${id}`,
    resultUrl: 'https://pay.example.com/1',
    targetAccount: 'main',
    contentAgrees: true,
    ...change,
  });
  return { id, exceptionId, input, answer: await recordManualEvidence(db.pool('app'), context, input) };
}
const audited = async (exceptionId: string) => {
  const { rows } = await db
    .pool('owner')
    .query<{ outcome: string; refusal_code: string | null; body: string }>(
      `SELECT outcome, refusal_code, body FROM review.audit_events WHERE exception_id = $1 AND event = 'evidence.recorded'`,
      [exceptionId],
    );
  return rows;
};

describe('recordManualEvidence', () => {
  it("R-062j keeps where, what and when under the person's name, as evidence like any other", async () => {
    const { id, exceptionId, answer } = await seen();
    expect(answer).toMatchObject({ outcome: 'done' });
    expect(await fixture.lookups(id)).toMatchObject([
      {
        exception_id: exceptionId,
        connector_id: null,
        place: 'Payments console, list of today',
        outcome: 'FOUND',
        external_status: 'done',
        verdict: 'APPLIED',
        result_id: `PAY-${id}`,
        account_match: true,
        content_match: true,
        checked_by: operator.actor.id,
        automatic: false,
      },
    ]);
    expect(await audited(exceptionId)).toMatchObject([{ outcome: 'done' }]);
  });

  it('R-064j R-062k "not applied" seen by a person waits for the operation\'s horizon', async () => {
    const { id } = await seen({ verdict: 'NOT_APPLIED', resultId: undefined });
    const [kept] = await fixture.lookups(id);
    expect(kept).toMatchObject({ outcome: 'NOT_FOUND', verdict: 'NOT_APPLIED' });
    // Lease 60 s, grace 30 s, the policy's own 600 s.
    const seconds = ((kept!.usable_from as Date).getTime() - (kept!.checked_at as Date).getTime()) / 1000;
    expect(seconds).toBeGreaterThan(685);
    expect(seconds).toBeLessThan(695);
  });

  it('R-062l a deletion that is done is an absence, one that is not is a presence', async () => {
    await fixture.ledger.policy('delete-record', {
      connector_id: CONNECTOR,
      proof: 'ABSENCE',
      authority: 'money',
    });
    const gone = await seen({ operation: 'delete-record' });
    expect(await fixture.lookups(gone.id)).toMatchObject([{ outcome: 'NOT_FOUND', verdict: 'APPLIED' }]);
    const there = await seen({ operation: 'delete-record', verdict: 'NOT_APPLIED' });
    expect(await fixture.lookups(there.id)).toMatchObject([{ outcome: 'FOUND', verdict: 'NOT_APPLIED' }]);
  });

  it('R-078c text with a password, token or card number is refused, and kept nowhere', async () => {
    for (const [change, kind] of [
      [{ seen: 'logged in with password: hunter2!' }, 'PASSWORD'],
      [{ place: 'curl -H "Authorization: Bearer abcdef0123456789abcdef"' }, 'TOKEN'],
      [{ seen: 'card 4111 1111 1111 1111 was charged' }, 'CARD_NUMBER'],
      [{ resultId: '4111111111111111' }, 'CARD_NUMBER'],
    ] as const) {
      const { id, exceptionId, answer } = await seen(change);
      expect(answer).toEqual({ outcome: 'refused', code: 'HOLDS_SECRET', secrets: [kind] });
      expect(await fixture.lookups(id)).toEqual([]);
      const [event] = await audited(exceptionId);
      expect(event).toMatchObject({ outcome: 'refused', refusal_code: 'HOLDS_SECRET' });
      expect(event!.body).not.toMatch(/hunter2|abcdef0123|4111/);
    }
  });

  it('R-062m R-060g another account, other content, a later version or a time to come is refused', async () => {
    const code = async (change: Partial<ManualEvidence>) => {
      const { answer } = await seen(change);
      return answer.outcome === 'refused' ? answer.code : answer.outcome;
    };
    expect(await code({ targetAccount: 'other' })).toBe('ACCOUNT_DIFFERS');
    expect(await code({ targetAccount: undefined })).toBe('ACCOUNT_DIFFERS');
    expect(await code({ contentAgrees: false })).toBe('CONTENT_NOT_CONFIRMED');
    expect(await code({ executionVersion: '1' })).toBe('CHANGED_SINCE_SEEN');
    expect(await code({ checkedAt: '2999-01-01T00:00:00Z' })).toBe('CHECKED_IN_THE_FUTURE');
    expect(await code({ verdict: 'UNCLEAR', targetAccount: 'other', contentAgrees: false })).toBe('done');
  });

  it('R-059i what was seen before the execution was there is refused; its own minute counts', async () => {
    const { id, exceptionId } = await fixture.unknownPayment();
    const row = await fixture.ledger.row(id);
    const began = new Date(row.created_at as string);
    const minute = Math.floor(began.getTime() / 60_000) * 60_000;
    const at = (time: number) =>
      recordManualEvidence(
        db.pool('app'),
        operator,
        manualEvidenceSchema.parse({
          ...{ operationId: randomUUID(), exceptionId, executionVersion: row.version },
          ...{
            place: 'Payments console',
            seen: 'Nothing there yet.',
            verdict: 'UNCLEAR',
            contentAgrees: false,
          },
          checkedAt: new Date(time).toISOString(),
        }),
      );
    expect(await at(minute - 1)).toMatchObject({ outcome: 'refused', code: 'CHECKED_BEFORE_THE_EXECUTION' });
    expect(await fixture.lookups(id)).toEqual([]);
    expect(await audited(exceptionId)).toMatchObject([{ refusal_code: 'CHECKED_BEFORE_THE_EXECUTION' }]);
    expect(await at(minute)).toMatchObject({ outcome: 'done' });
  });

  it('R-077b B-94 the same click sent twice at once keeps one row', async () => {
    const { id, input } = await seen();
    const again = await Promise.all([
      recordManualEvidence(db.pool('app'), operator, input),
      recordManualEvidence(db.pool('app'), operator, input),
    ]);
    expect(again).toEqual(Array(2).fill({ outcome: 'done', repeated: true }));
    expect(await fixture.lookups(id)).toHaveLength(1);
  });

  it('R-062n the same rights as for a lookup hold', async () => {
    for (const [rights, code] of [
      [{ roles: ['MANAGER'] }, 'ROLE_MISSING'],
      [{ authorities: [] }, 'AUTHORITY_MISSING'],
      [{ tenants: ['tenant-south'] }, 'NOT_FOUND'],
    ] as const) {
      const person = await fixture.person(rights as unknown as Parameters<LookupFixture['person']>[0]);
      const { id, answer } = await seen({}, person);
      expect(answer).toMatchObject({ outcome: 'refused', code });
      expect(await fixture.lookups(id)).toEqual([]);
    }
  });

  it('R-062o R-059h the form refuses hidden characters, other addresses and unknown members', () => {
    const good = {
      operationId: '0196e7c0-0000-4000-8000-000000000002',
      exceptionId: '0196e7c0-0000-7000-8000-000000000001',
      executionVersion: '3',
      place: 'x',
      seen: 'y',
      verdict: 'APPLIED',
      checkedAt: '2026-11-29T12:00:00+09:00',
      contentAgrees: true,
    };
    expect(manualEvidenceSchema.safeParse(good).success).toBe(true);
    for (const change of [
      { seen: 'a\u0000b' },
      { seen: '\ud800' },
      { place: '   ' },
      { place: 'x'.repeat(301) },
      { seen: 'x'.repeat(4_001) },
      { resultUrl: 'javascript:alert(1)' },
      { resultUrl: 'https://ann:secret@pay.example.com/1' },
      { resultId: 'a\nb' },
      { checkedAt: 'yesterday' },
      { verdict: 'MAYBE' },
      { extra: 1 },
    ]) {
      expect(manualEvidenceSchema.safeParse({ ...good, ...change }).success, JSON.stringify(change)).toBe(
        false,
      );
    }
  });
});
