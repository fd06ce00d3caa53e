import 'server-only';
import type { ConnectorRow } from '@/lib/domain/connector-view';
import { hasRoleFor } from '@/lib/domain/permissions';
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
import { seesTenant } from './connector-columns';

const KEYSET: Keyset = { columns: [{ expression: 'k.connector_id', type: 'text' }], descending: false };

export type ListConnectorsAnswer =
  ({ kind: 'page' } & Page<ConnectorRow>) | { kind: 'cursor-refused' } | { kind: 'forbidden' };

type Read = ConnectorRow & { position: string[] };

/** One page of the connectors of the administrator's tenants and of those for all tenants, by name; waiting first versions as well. */
export async function listConnectors(
  ctx: ReadContext,
  input: { cursor: string | null; size: number },
): Promise<ListConnectorsAnswer> {
  if (!hasRoleFor(ctx.actor, 'connector.manage')) return { kind: 'forbidden' };
  const size = Math.min(Math.max(1, Math.trunc(input.size)), LARGEST_PAGE);
  const tenants = [...new Set(ctx.actor.tenantIds)].sort();
  const binding = ['connectors', ...tenants];
  const position = input.cursor === null ? null : readCursor(input.cursor, KEYSET, binding);
  if (input.cursor !== null && position === null) return { kind: 'cursor-refused' };
  const $ = new SqlParameters();
  const own = $.add(tenants, 'text[]');
  const waits = `p.state = 'PENDING' and p.expires_at > ledger.clock()`;
  const { rows } = await ctx.db.query<Read & Record<string, unknown>>(
    `select ${positionOf(KEYSET)} as position, k.connector_id as "connectorId", t.display_name as "tenantName", k.version,
       k.retired, k.recipe->>'system' as system, coalesce(k.recipe->>'baseUrl', k.recipe->>'connection') as "baseUrl", ledger.instant(k.at) as "updatedAt",
       exists (select from review.connector_proposals p where p.connector_id = k.connector_id and ${waits}) as waiting
     from (
       select connector_id, tenant_id, version, retired_at is not null as retired, recipe, updated_at as at from review.connectors
       union all
       select p.connector_id, p.tenant_id, 0, false, p.recipe, p.requested_at from review.connector_proposals p
       where p.base_version = 0 and ${waits}) k
     left join review.tenants t on t.tenant_id = k.tenant_id
     where ${seesTenant('k.tenant_id', own)} and ${afterPosition(KEYSET, position, $)}
     order by ${orderBy(KEYSET, position?.backwards ?? false)} limit ${$.add(size + 1, 'integer')}`,
    $.values,
  );
  const page = takePage(rows, size, position, binding);
  return { kind: 'page', ...page, rows: page.rows.map(({ position: _position, ...row }) => row) };
}
