import type { Pool } from '@/lib/db/pool';
import { statement } from '@/lib/db/statement';
import { digestOfToken, isProducerToken } from '../producer-token';
import { ProblemError } from './problem';

/** Who calls, as the token says; nothing in the request can change it. */
export interface Principal {
  readonly principalId: string;
  readonly tenantId: string;
  /** Operations that the token is limited to; null for all. */
  readonly operations: readonly string[] | null;
}

const TOKEN = `
  select t.principal_id, p.tenant_id, t.operations
  from ledger.producer_tokens t join ledger.principals p using (principal_id)
  where t.digest = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > ledger.clock())`;

/** The token's principal, read from the database at every request: a revoked token works nowhere any more. */
export async function authenticate(pool: Pool, authorization: string | null): Promise<Principal> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined || !isProducerToken(token)) throw unauthenticated();
  const { rows } = await statement<{ principal_id: string; tenant_id: string; operations: string[] | null }>(
    pool,
    TOKEN,
    [digestOfToken(token)],
    { repeatable: true },
  );
  const [row] = rows;
  if (row === undefined) throw unauthenticated();
  return { principalId: row.principal_id, tenantId: row.tenant_id, operations: row.operations };
}

function unauthenticated(): ProblemError {
  return new ProblemError(
    'UNAUTHENTICATED',
    'Send a valid token: Authorization: Bearer oo_live_…',
    {},
    {
      'WWW-Authenticate': 'Bearer realm="onceover"',
    },
  );
}

export function requireOperation(principal: Principal, operation: string): void {
  if (principal.operations === null || principal.operations.includes(operation)) return;
  throw new ProblemError('FORBIDDEN', 'The token is limited to other operations.');
}
