import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { ledgerFixture, type LedgerFixture } from '@/lib/testing/ledger-fixture';
import { leastRetention } from './retention';

let db: TestDatabase;
let ledger: LedgerFixture;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
});
afterAll(() => db.drop());

const CASES = [
  [0, 0, 0, null, 0],
  [10, 0, 0, null, 0],
  [0, 20, 0, null, 0],
  [0, 0, 30, null, 0],
  [0, 0, 0, 40, 0],
  [0, 0, 0, null, 50],
  [10, 20, 30, 40, 50],
  [2_000_000_000, 2_000_000_000, 0, null, 0],
] as const;

describe('R-039 the database and the domain agree', () => {
  it.each(CASES)('R-039 about %j %j %j %j %j', async (...inputs) => {
    const [
      retransmissionSeconds,
      offlineReturnSeconds,
      manualReprocessingSeconds,
      dedupeWindowSeconds,
      investigationSeconds,
    ] = inputs;
    const { seconds } = leastRetention(
      {
        retransmissionSeconds,
        offlineReturnSeconds,
        manualReprocessingSeconds,
        dedupeWindowSeconds,
        investigationSeconds,
      },
      0,
    );
    const save = (retention_seconds: number) =>
      ledger.policy(randomUUID(), {
        retention_seconds,
        retransmission_seconds: retransmissionSeconds,
        offline_return_seconds: offlineReturnSeconds,
        manual_reprocessing_seconds: manualReprocessingSeconds,
        dedupe_window_seconds: dedupeWindowSeconds,
        investigation_seconds: investigationSeconds,
      });
    const tooShort = { constraint: 'operation_policies_retention_covers_arrivals' };
    const longest = 2_147_483_647;
    if (seconds > 1) await expect(save(Math.min(seconds - 1, longest))).rejects.toMatchObject(tooShort);
    if (seconds <= longest) await save(Math.max(seconds, 1));
  });

  it('R-039 a policy that no longer holds is not judged again', async () => {
    const operation = randomUUID();
    await ledger.policy(operation, {
      retention_seconds: 5,
      retired_at: '2026-01-01',
      investigation_seconds: 9,
    });
    await expect(
      db
        .pool('owner')
        .query('UPDATE ledger.operation_policies SET retired_at = NULL WHERE operation = $1', [operation]),
    ).rejects.toMatchObject({ constraint: 'operation_policies_retention_covers_arrivals' });
  });
});
