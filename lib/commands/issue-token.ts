import { appendAudit } from '@/lib/db/append-audit';
import type { Transaction } from '@/lib/db/transaction';
import { makeProducerToken } from '@/lib/ledger/producer-token';

/** A tenant that is made when it is missing. Whoever calls holds the owner's role. */
export async function ensureTenant(
  tx: Transaction,
  tenantId: string,
  displayName: string,
  demo: boolean,
): Promise<void> {
  await tx.query(
    `insert into review.tenants (tenant_id, display_name, demo) values ($1, $2, $3) on conflict (tenant_id) do nothing`,
    [tenantId, displayName, demo],
  );
}

export type PrincipalAnswer = { kind: 'ready' } | { kind: 'refused'; tenantId: string };

/** A principal that is made when it is missing, and given its login role when it has none yet; refused when it belongs to another tenant. */
export async function ensurePrincipal(
  tx: Transaction,
  principal: { principalId: string; tenantId: string; displayName: string; loginRole: string | null },
): Promise<PrincipalAnswer> {
  await tx.query(
    `insert into ledger.principals (principal_id, tenant_id, login_role, display_name)
     values ($1, $2, $3, $4)
     on conflict (principal_id) do update set login_role = excluded.login_role
     where principals.login_role is null and excluded.login_role is not null`,
    [principal.principalId, principal.tenantId, principal.loginRole, principal.displayName],
  );
  const { rows } = await tx.query<{ tenant_id: string }>(
    `select tenant_id from ledger.principals where principal_id = $1`,
    [principal.principalId],
  );
  const tenantId = rows[0]?.tenant_id;
  if (tenantId === undefined) throw new Error(`bug: principal ${principal.principalId} was not made`);
  return tenantId === principal.tenantId ? { kind: 'ready' } : { kind: 'refused', tenantId };
}

/** Makes a bearer token of the producer API; only its digest stays. */
export async function issueToken(tx: Transaction, principalId: string, tenantId: string): Promise<string> {
  const { token, prefix, digest } = makeProducerToken();
  await tx.query(`insert into ledger.producer_tokens (principal_id, prefix, digest) values ($1, $2, $3)`, [
    principalId,
    prefix,
    digest,
  ]);
  await appendAudit(tx, { event: 'token.created', outcome: 'done', tenantId, body: { principalId, prefix } });
  return token;
}
