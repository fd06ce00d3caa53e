import type { Transaction } from '@/lib/db/transaction';
import { ensureTenant } from './issue-token';

export type TenantsAnswer =
  { kind: 'admitted'; made: readonly string[] } | { kind: 'refused'; detail: string };

/**
 * Tenants that somebody named on a command line. One that does not exist is a slip of the hand until it is asked for by
 * `createTenant`; only the first tenants of an installation need no such word.
 */
export async function admitTenants(
  tx: Transaction,
  named: readonly string[],
  createTenant: boolean,
): Promise<TenantsAnswer> {
  const { rows } = await tx.query<{ tenant_id: string }>(
    'select tenant_id from review.tenants order by tenant_id',
  );
  const existing = rows.map((row) => row.tenant_id);
  const made = named.filter((each) => !existing.includes(each));
  if (made.length > 0 && existing.length > 0 && !createTenant) {
    const detail = `There is no tenant ${made.join(', ')}. There are: ${existing.join(', ')}. A new one is made with --create-tenant.`;
    return { kind: 'refused', detail };
  }
  for (const tenantId of made) await ensureTenant(tx, tenantId, tenantId, false);
  return { kind: 'admitted', made };
}
