import 'server-only';
import { hasRoleFor } from '@/lib/domain/permissions';
import type { TokenRow, TokenState } from '@/lib/domain/token-row';
import {
  afterPosition,
  LARGEST_PAGE,
  orderBy,
  positionOf,
  readCursor,
  takePage,
  type Keyset,
  type Page,
} from '../keyset';
import type { ReadContext } from '../read-context';
import { SqlParameters } from '../sql-parameters';

const KEYSET: Keyset = {
  columns: [
    { expression: 't.created_at', type: 'timestamptz' },
    { expression: 't.token_id', type: 'uuid' },
  ],
  descending: true,
};

const STATE = `case when t.revoked_at is not null then 'REVOKED' when t.expires_at <= ledger.clock() then 'EXPIRED'
  when exists (select from ledger.producer_tokens n where n.replaces = t.token_id) then 'REPLACED' else 'VALID' end`;

export type ListTokensAnswer =
  ({ kind: 'page' } & Page<TokenRow>) | { kind: 'cursor-refused' } | { kind: 'forbidden' };

type Read = TokenRow & { position: string[] };

/** One page of the tokens of the administrator's tenants, the newest first. Never a digest. */
export async function listTokens(
  ctx: ReadContext,
  input: { states: readonly TokenState[]; cursor: string | null; size: number },
): Promise<ListTokensAnswer> {
  if (!hasRoleFor(ctx.actor, 'token.manage')) return { kind: 'forbidden' };
  const size = Math.min(Math.max(1, Math.trunc(input.size)), LARGEST_PAGE);
  const tenants = [...new Set(ctx.actor.tenantIds)].sort();
  const binding = ['tokens', JSON.stringify(input.states), ...tenants];
  const position = input.cursor === null ? null : readCursor(input.cursor, KEYSET, binding);
  if (input.cursor !== null && position === null) return { kind: 'cursor-refused' };
  const $ = new SqlParameters();
  const conditions = [`p.tenant_id = any(${$.add(tenants, 'text[]')})`, afterPosition(KEYSET, position, $)];
  if (input.states.length > 0) conditions.push(`(${STATE}) = any(${$.add(input.states, 'text[]')})`);
  const { rows } = await ctx.db.query<Read & Record<string, unknown>>(
    `select ${positionOf(KEYSET)} as position, t.token_id as "tokenId", t.prefix, t.principal_id as "principalId",
       p.tenant_id as "tenantId", n.display_name as "tenantName", t.operations, ${STATE} as state,
       ledger.instant(t.created_at) as "createdAt", ledger.instant(t.expires_at) as "expiresAt",
       ledger.instant(t.revoked_at) as "revokedAt"
     from ledger.producer_tokens t join ledger.principals p using (principal_id) join review.tenants n on n.tenant_id = p.tenant_id
     where ${conditions.join(' and ')}
     order by ${orderBy(KEYSET, position?.backwards ?? false)} limit ${$.add(size + 1, 'integer')}`,
    $.values,
  );
  const page = takePage(rows, size, position, binding);
  return { kind: 'page', ...page, rows: page.rows.map(({ position: _position, ...row }) => row) };
}

/** The programs that the administrator's tenants have, for a new token's form. */
export async function listPrincipals(ctx: ReadContext): Promise<string[]> {
  if (!hasRoleFor(ctx.actor, 'token.manage')) return [];
  const { rows } = await ctx.db.query<{ principal_id: string }>(
    'select principal_id from ledger.principals where tenant_id = any($1::text[]) order by principal_id limit 500',
    [ctx.actor.tenantIds],
  );
  return rows.map((row) => row.principal_id);
}
