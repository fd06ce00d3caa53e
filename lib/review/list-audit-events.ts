import 'server-only';
import { RECORD_COLUMNS } from '@/lib/audit/audit-records';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { auditConditions, auditTenantsOf, visibleWithoutTenant, type AuditFilter } from './audit-filter';
import { tenantsOf } from './exception-filter';
import { afterPosition, LARGEST_PAGE, orderBy, readCursor, takePage, type Keyset, type Page } from './keyset';
import { type ReadContext } from './read-context';
import { searchScope } from './search-scope';
import { SqlParameters } from './sql-parameters';

export const AUDIT_SORTS = ['-number', 'number'] as const;

export type AuditSort = (typeof AUDIT_SORTS)[number];

export interface ListAuditInput {
  filter: AuditFilter;
  sort: AuditSort;
  cursor: string | null;
  /** Rows; never more than LARGEST_PAGE. */
  size: number;
}

export type ListAuditAnswer = ({ kind: 'page' } & Page<AuditRecord>) | { kind: 'cursor-refused' };

/**
 * One page of the audit for the actor's tenants, refused acts included, in order of number. Each tenant is walked along
 * its index and the parts merged. A cursor holds for this order, these filters, this person and these tenants alone.
 */
export async function listAuditEvents(ctx: ReadContext, input: ListAuditInput): Promise<ListAuditAnswer> {
  const { filter, sort } = input;
  const { actor } = ctx;
  const size = Math.min(Math.max(1, Math.trunc(input.size)), LARGEST_PAGE);
  const keyset: Keyset = {
    columns: [{ expression: 'e.number', type: 'bigint' }],
    descending: sort === '-number',
  };
  const tenants = tenantsOf({ tenantIds: auditTenantsOf(actor) }, filter);
  const binding = [
    'audit',
    sort,
    JSON.stringify(filter),
    actor.personId,
    [...actor.roles].sort().join(' '),
    ...tenants,
  ];
  const position = input.cursor === null ? null : readCursor(input.cursor, keyset, binding);
  if (input.cursor !== null && position === null) return { kind: 'cursor-refused' };

  // What too many begin with is searched in the events' words alone.
  const search = await searchScope(ctx.db, filter.text, tenants);
  const named = search === 'too-broad' || search.kind === 'none' ? [] : search.executionIds;
  const $ = new SqlParameters();
  const ordered = orderBy(keyset, position?.backwards ?? false);
  const narrowed = `${auditConditions(filter, named, $)} and ${afterPosition(keyset, position, $)}`;
  const limit = $.add(size + 1, 'integer');
  // Events of no tenant leave the list when it is narrowed to tenants.
  const withoutTenant =
    filter.tenants.length > 0
      ? ''
      : `union all (select e.number from review.audit_events e
          where e.tenant_id is null and ${visibleWithoutTenant(actor, $)} and ${narrowed} order by ${ordered} limit ${limit})`;
  const statement = `
    with parts as materialized (
      select part.number from unnest(${$.add(tenants, 'text[]')}) as t (tenant_id)
      cross join lateral (
        select e.number from review.audit_events e
        where e.tenant_id = t.tenant_id and ${narrowed} order by ${ordered} limit ${limit}) part
      ${withoutTenant}),
    page as (select e.number from parts e order by ${ordered} limit ${limit})
    select array[e.number::text] as position, ${RECORD_COLUMNS}
    from review.audit_events e where e.number in (select page.number from page) order by ${ordered}`;
  const { rows } = await ctx.db.query<AuditRecord & { position: string[] }>(statement, $.values);
  return { kind: 'page', ...takePage(rows, size, position, binding) };
}
