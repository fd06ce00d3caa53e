import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { admitTenants } from './admit-tenants';
import { makeToken, type TokenAsked } from './make-token';
import { installerContext } from './owner-pool';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const make = (asked: Partial<TokenAsked>) =>
  transaction(db.pool('owner'), installerContext('token'), (tx) =>
    makeToken(tx, {
      tenantId: 'tenant-north',
      principalId: 'north-automation',
      createTenant: false,
      ...asked,
    }),
  );

async function count(
  table: 'review.tenants' | 'ledger.principals' | 'ledger.producer_tokens',
): Promise<number> {
  const { rows } = await db.pool('owner').query<{ n: number }>(`select count(*)::int as n from ${table}`);
  return rows[0]?.n ?? -1;
}

describe('a producer token', () => {
  it('is made without further words for the first tenant of an installation, and says what it made', async () => {
    expect(await count('review.tenants')).toBe(0);
    expect(await make({})).toMatchObject({
      kind: 'made',
      notes: [
        'The tenant tenant-north is new: it was made.',
        'The principal north-automation is new: it was made in the tenant tenant-north.',
      ],
    });
    expect(await make({})).toMatchObject({ kind: 'made', notes: [] });
  });

  it('is refused for a tenant that does not exist, and nothing is left of it', async () => {
    const before = [
      await count('review.tenants'),
      await count('ledger.principals'),
      await count('ledger.producer_tokens'),
    ];
    expect(await make({ tenantId: 'tenant-nroth', principalId: 'other' })).toEqual({
      kind: 'refused',
      detail:
        'There is no tenant tenant-nroth. There are: tenant-north. A new one is made with --create-tenant.',
    });
    expect([
      await count('review.tenants'),
      await count('ledger.principals'),
      await count('ledger.producer_tokens'),
    ]).toEqual(before);
  });

  it('makes a further tenant when that is asked for', async () => {
    const south = { tenantId: 'tenant-south', principalId: 'south-automation', createTenant: true };
    expect(await make(south)).toMatchObject({ kind: 'made', notes: [expect.anything(), expect.anything()] });
  });

  it('is refused for a principal of another tenant', async () => {
    expect(await make({ principalId: 'south-automation', createTenant: true })).toEqual({
      kind: 'refused',
      detail: 'The principal south-automation belongs to the tenant tenant-south, not to tenant-north.',
    });
  });

  it('holds for the tenants of a new administrator as well', async () => {
    const admit = (named: string[]) =>
      transaction(db.pool('owner'), installerContext('admin-create'), (tx) => admitTenants(tx, named, false));
    expect(await admit(['tenant-north', 'tenant-wets'])).toMatchObject({ kind: 'refused' });
    expect(await admit(['tenant-north'])).toEqual({ kind: 'admitted', made: [] });
  });
});
