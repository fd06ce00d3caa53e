// Which protection counts, and what follows where none does.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  ledgerFixture,
  PROVEN_PROTECTION,
  type Json,
  type LedgerFixture,
} from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let ledger: LedgerFixture;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
});
afterAll(() => db.drop());

/** A policy in force with these columns, and the class that counts for it. */
async function counted(columns: Json): Promise<string> {
  const operation = `op-${randomUUID()}`;
  await ledger.policy(operation, columns);
  return classOf(operation);
}

async function classOf(operation: string): Promise<string> {
  const { rows } = await db
    .pool('app')
    .query<{ counts: string }>(
      `SELECT ledger.protection_of(ledger.policy_for('tenant-north', $1)) AS counts`,
      [operation],
    );
  return rows[0]!.counts;
}

describe('R-016b the protection that counts', () => {
  it.each(['PROVIDER_KEY', 'CONDITIONAL', 'SAME_DATABASE'])(
    'R-016b %s counts as none for what cannot simply be undone until somebody has checked it',
    async (protection_class) => {
      for (const effect_class of ['IRREVERSIBLE', 'COMPENSABLE']) {
        expect(await counted({ protection_class, effect_class })).toBe('NONE');
        expect(await counted({ protection_class, effect_class, ...PROVEN_PROTECTION })).toBe(
          protection_class,
        );
      }
      for (const effect_class of ['REVERSIBLE', 'NONE'])
        expect(await counted({ protection_class, effect_class })).toBe(protection_class);
    },
  );

  it('R-016b looking up is no promise of the provider and needs no proof', async () => {
    expect(await counted({ protection_class: 'LOOKUP_ONLY' })).toBe('LOOKUP_ONLY');
  });

  it('R-016b a proof counts from its check until its validity is over, by the ledger’s clock', async () => {
    await ledger.policy('short-proof', {
      protection_class: 'PROVIDER_KEY',
      ...PROVEN_PROTECTION,
      protection_checked_at: '2027-01-01T00:00:00Z',
      protection_valid_until: '2027-06-01T00:00:00Z',
    });
    const at = async (instant: string) => {
      await db.setClock(instant);
      return classOf('short-proof');
    };
    expect(await at('2026-12-31T23:59:59.999999Z')).toBe('NONE');
    expect(await at('2027-01-01T00:00:00Z')).toBe('PROVIDER_KEY');
    expect(await at('2027-05-31T23:59:59.999999Z')).toBe('PROVIDER_KEY');
    expect(await at('2027-06-01T00:00:00Z')).toBe('NONE');
    await db.setClock(null);
  });

  it('R-016b half a proof is none: the table refuses it', async () => {
    for (const missing of Object.keys(PROVEN_PROTECTION)) {
      await expect(
        ledger.policy(`half-${missing}`, { ...PROVEN_PROTECTION, [missing]: null }),
      ).rejects.toMatchObject({ constraint: 'operation_policies_proof_is_whole' });
    }
    for (const [column, value] of [
      ['protection_document', ''],
      ['protection_valid_until', 'infinity'],
    ] as const) {
      await expect(
        ledger.policy(`empty-${column}`, { ...PROVEN_PROTECTION, [column]: value }),
      ).rejects.toMatchObject({ constraint: 'operation_policies_proof_is_whole' });
    }
  });
});

describe('R-016b what follows', () => {
  it('R-016b a passing refusal of a provider whose protection nobody has checked proves nothing', async () => {
    const outcome = async (operation: string) => {
      const { id, token } = await ledger.started(randomUUID(), { operation });
      const failure = { retryable: true, code: 'E429', message: 'm', basis: 'PROVIDER_TRANSIENT' };
      await ledger.report('fail', id, { fencingToken: token, ...failure });
      return (await ledger.row(id)).state;
    };
    const keeps = { protection_class: 'PROVIDER_KEY', transient_codes: ['E429'] };
    await ledger.policy('unchecked', keeps);
    await ledger.policy('checked', { ...keeps, ...PROVEN_PROTECTION });
    expect(await outcome('unchecked')).toBe('UNKNOWN');
    expect(await outcome('checked')).toBe('FAILED_RETRYABLE');
  });

  it('R-016b without protection that counts one execution runs per business reference, whatever the policy says', async () => {
    const alone = { single_executor: 'NONE' };
    await ledger.policy('no-class', alone);
    await ledger.policy('lookup-class', { ...alone, protection_class: 'LOOKUP_ONLY' });
    await ledger.policy('unchecked-class', { ...alone, protection_class: 'CONDITIONAL' });
    await ledger.policy('checked-class', { ...alone, protection_class: 'CONDITIONAL', ...PROVEN_PROTECTION });
    const second = async (operation: string) => {
      await ledger.claim(randomUUID(), { operation, businessRef: 'ORD-1' });
      const key = randomUUID();
      await ledger.register(key, { operation });
      const later = await ledger.claim(key, { operation, businessRef: 'ORD-1' });
      return [(await ledger.claim(randomUUID(), { operation, businessRef: 'ORD-1' })).code, later.code];
    };
    for (const operation of ['no-class', 'lookup-class', 'unchecked-class'])
      expect(await second(operation), operation).toEqual(['SINGLE_EXECUTOR_BUSY', 'SINGLE_EXECUTOR_BUSY']);
    expect(await second('checked-class')).toEqual([null, null]);
  });

  it('R-016b work that was noted down under a proof is held like any other once the proof is over', async () => {
    const operation = 'proof-ends';
    const proof = { ...PROVEN_PROTECTION, protection_valid_until: '2027-06-01T00:00:00Z' };
    await ledger.policy(operation, { single_executor: 'NONE', protection_class: 'CONDITIONAL', ...proof });
    const [one, two] = [randomUUID(), randomUUID()];
    const claim = async (key: string) => (await ledger.claim(key, { operation, businessRef: 'ORD-1' })).code;
    await db.setClock('2027-05-01T00:00:00Z');
    for (const key of [one, two]) await ledger.register(key, { operation, businessRef: 'ORD-1' });
    await db.setClock('2027-06-01T00:00:00Z');
    expect([await claim(one), await claim(two)]).toEqual([null, 'SINGLE_EXECUTOR_BUSY']);
    await db.setClock(null);
  });
});
