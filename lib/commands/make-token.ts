import type { Transaction } from '@/lib/db/transaction';
import { admitTenants } from './admit-tenants';
import { ensurePrincipal, issueToken } from './issue-token';

export interface TokenAsked {
  tenantId: string;
  principalId: string;
  createTenant: boolean;
}

export type TokenAnswer =
  { kind: 'made'; token: string; notes: readonly string[] } | { kind: 'refused'; detail: string };

/** A producer token for a principal of a tenant; what had to be made for it is told in `notes`. */
export async function makeToken(tx: Transaction, asked: TokenAsked): Promise<TokenAnswer> {
  const { tenantId, principalId, createTenant } = asked;
  const tenants = await admitTenants(tx, [tenantId], createTenant);
  if (tenants.kind === 'refused') return tenants;
  const known = await tx.query('select 1 from ledger.principals where principal_id = $1', [principalId]);
  const principal = { principalId, tenantId, displayName: principalId, loginRole: null };
  const answer = await ensurePrincipal(tx, principal);
  if (answer.kind === 'refused') {
    const detail = `The principal ${principalId} belongs to the tenant ${answer.tenantId}, not to ${tenantId}.`;
    return { kind: 'refused', detail };
  }
  const notes = [
    ...tenants.made.map((made) => `The tenant ${made} is new: it was made.`),
    ...(known.rows.length === 0
      ? [`The principal ${principalId} is new: it was made in the tenant ${tenantId}.`]
      : []),
  ];
  return { kind: 'made', token: await issueToken(tx, principalId, tenantId), notes };
}
