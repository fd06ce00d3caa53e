import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { ledgerFixture, type LedgerFixture } from '@/lib/testing/ledger-fixture';

const POLICY = { retention_seconds: 1_000, lease_seconds: 86_400, long_running_seconds: 86_400 };
const operation = 'kept-operation';

let db: TestDatabase;
let ledger: LedgerFixture;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
  await ledger.policy(operation, { ...POLICY, claim_within_seconds: 5_000, retry_within_seconds: 5_000 });
});
afterAll(() => db.drop());

const reach: Record<string, () => Promise<string>> = {
  RECEIVED: async () => (await ledger.register(randomUUID(), { operation })).execution!.executionId,
  PROCESSING: async () => (await ledger.claim(randomUUID(), { operation })).execution!.executionId,
  FAILED_RETRYABLE: async () => {
    const { id, token } = await ledger.started(randomUUID(), { operation });
    const report = { fencingToken: token, retryable: true, code: 'BUSY', message: 'm', basis: 'NOT_SENT' };
    await ledger.report('fail', id, report);
    return id;
  },
  UNKNOWN: async () => {
    const { id, token } = await ledger.started(randomUUID(), { operation });
    await ledger.report('report_unknown', id, { fencingToken: token, code: 'T', message: 'm' });
    return id;
  },
};

it.each(Object.keys(reach))(
  'R-040b R-040c a record that is %s stays so past its retention, and becomes an EXPIRED_KEY exception',
  async (state) => {
    const id = await reach[state]!();
    expect(await ledger.row(id)).toMatchObject({ state });
    await db.advanceClock('999 seconds');
    await ledger.sweep();
    expect((await ledger.exceptions(id)).map((each) => each.kind)).not.toContain('EXPIRED_KEY');
    await db.advanceClock('2 seconds');
    await ledger.sweep();
    expect(await ledger.row(id)).toMatchObject({ state });
    expect(await ledger.exceptions(id)).toContainEqual(
      expect.objectContaining({ kind: 'EXPIRED_KEY', state: 'OPEN', reason_code: 'RETENTION_OVER' }),
    );
  },
);
