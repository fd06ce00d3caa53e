import 'server-only';
import { RECORD_COLUMNS } from '@/lib/audit/audit-records';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { auditConditions, auditTenantsOf, visibleWithoutTenant, type AuditFilter } from './audit-filter';
import { auditSearch, type AuditSearch } from './audit-search';
import { walkWords, type Unsearched, type WordsWalk } from './audit-words-walk';
import { tenantsOf } from './exception-filter';
import { afterPosition, LARGEST_PAGE, orderBy, readCursor, takePage, type Keyset, type Page } from './keyset';
import { type ReadContext } from './read-context';
import { SqlParameters } from './sql-parameters';

/** A page of a search of words looks through 60,000 numbers: about a second on a small machine, far from any limit of time. */
const WORDS = { stretch: 20_000n, stretches: 3 };

export const AUDIT_SORTS = ['-number', 'number'] as const;

export type AuditSort = (typeof AUDIT_SORTS)[number];

export interface ListAuditInput {
  filter: AuditFilter;
  sort: AuditSort;
  cursor: string | null;
  /** Rows; never more than LARGEST_PAGE. */
  size: number;
}

type Row = AuditRecord & { position: string[] };

export type ListAuditAnswer =
  | ({
      kind: 'page';
      /** What the filter's text was taken for. */
      search: AuditSearch['kind'];
      /** Where a search of words stopped before the end of the log. */
      unsearched: Unsearched | null;
    } & Page<AuditRecord>)
  | { kind: 'cursor-refused' };

/**
 * One page of the audit for the actor's tenants, refused acts included, in order of number. Each tenant is walked along
 * its index and the parts merged; the numbers as an array, so that each partition is asked along its key. A cursor holds
 * for this order, these filters, this person and these tenants alone.
 * Words have no index: a search of them takes a bounded stretch of the log per page, and says how far it came.
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

  const search = await auditSearch(ctx.db, filter, tenants);
  const backwards = position?.backwards ?? false;
  const read = async (stretch: readonly [bigint, bigint] | null, most: number): Promise<Row[]> => {
    const $ = new SqlParameters();
    const where = [auditConditions(filter, search, $), afterPosition(keyset, position, $)];
    if (stretch !== null)
      where.push(
        `e.number between ${$.add(`${stretch[0]}`, 'bigint')} and ${$.add(`${stretch[1]}`, 'bigint')}`,
      );
    const statement = pageOf(ctx, { tenants, filter, ordered: orderBy(keyset, backwards) }, where, most, $);
    return (await ctx.db.query<Row>(statement, $.values)).rows;
  };
  if (search.kind !== 'words') {
    const page = takePage(await read(null, size + 1), size, position, binding);
    return { kind: 'page', search: search.kind, unsearched: null, ...page };
  }
  const walk: WordsWalk<Row> = {
    ...{ size, ...WORDS, position, binding, read },
    down: keyset.descending !== backwards,
    ...(await endsOf(ctx)),
  };
  return { kind: 'page', search: search.kind, ...(await walkWords(walk)) };
}

interface Reach {
  tenants: readonly string[];
  filter: AuditFilter;
  ordered: string;
}

function pageOf(
  { actor }: ReadContext,
  { tenants, filter, ordered }: Reach,
  where: readonly string[],
  most: number,
  $: SqlParameters,
): string {
  const narrowed = where.join(' and ');
  const limit = $.add(most, 'integer');
  // Events of no tenant leave the list when it is narrowed to tenants.
  const withoutTenant =
    filter.tenants.length > 0
      ? ''
      : `union all (select e.number from review.audit_events e
          where e.tenant_id is null and ${visibleWithoutTenant(actor, $)} and ${narrowed} order by ${ordered} limit ${limit})`;
  return `
    with parts as materialized (
      select part.number from unnest(${$.add(tenants, 'text[]')}) as t (tenant_id)
      cross join lateral (
        select e.number from review.audit_events e
        where e.tenant_id = t.tenant_id and ${narrowed} order by ${ordered} limit ${limit}) part
      ${withoutTenant}),
    page as (select e.number from parts e order by ${ordered} limit ${limit})
    select array[e.number::text] as position, ${RECORD_COLUMNS}
    from review.audit_events e where e.number = any(array(select page.number from page)) order by ${ordered}`;
}

/** The first and the last number in the table; 1 and 0 when it is empty. */
async function endsOf({ db }: ReadContext): Promise<{ first: bigint; last: bigint }> {
  const { rows } = await db.query<{ first: string; last: string }>(
    `select coalesce(min(number), 1)::text as first, coalesce(max(number), 0)::text as last from review.audit_events`,
  );
  return { first: BigInt(rows[0]?.first ?? 1), last: BigInt(rows[0]?.last ?? 0) };
}
