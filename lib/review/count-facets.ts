import 'server-only';
import { bounded, COUNT_LIMIT, type BoundedCount } from './bounded-count';
import {
  exceptionConditions,
  exceptionParts,
  statesOf,
  tenantsOf,
  type ExceptionFilter,
} from './exception-filter';
import { type ReadContext } from './read-context';
import { searchScope, type SearchScope } from './search-scope';
import { SqlParameters } from './sql-parameters';

const FACETS = ['severity', 'operation', 'system'] as const;

type Facet = (typeof FACETS)[number];

/** Whose, when and whether it waits, apart from each other: each takes the place of the others. */
export const QUEUE_TABS = {
  all: { assignee: null, due: null, held: null },
  mine: { assignee: 'me', due: null, held: null },
  unowned: { assignee: 'none', due: null, held: null },
  overdue: { assignee: null, due: 'overdue', held: null },
  held: { assignee: null, due: null, held: true },
} as const satisfies Record<string, Partial<ExceptionFilter>>;

export type QueueTab = keyof typeof QUEUE_TABS;

export interface FacetCounts {
  /** By value; what is not named was not among the rows that were counted. */
  facets: Record<Facet, ReadonlyMap<string, BoundedCount>>;
  /** True where not every row could be counted: then what has no figure is not zero. */
  partial: boolean;
  tabs: Record<QueueTab, BoundedCount>;
}

/** Rows over which values are counted; past them a figure says "at least". Read in a few hundredths of a second. */
export const FACET_ROWS = 10_000;

/**
 * What choosing a value, or a tab, would leave: a facet's own choice does not narrow its figures. Same conditions as the list
 * (R-051). Null when the search text is too broad to say. Bounded: a tab along an index of its own, the values over the first
 * FACET_ROWS rows that miss at most one facet.
 */
export async function countFacets(ctx: ReadContext, filter: ExceptionFilter): Promise<FacetCounts | null> {
  const tenants = tenantsOf(ctx.actor, filter);
  const search = await searchScope(ctx.db, filter.text, tenants);
  if (search === 'too-broad') return null;
  const $ = new SqlParameters();
  const from = `unnest(${$.add(tenants, 'text[]')}) as t (tenant_id) cross join unnest(${$.add(statesOf(filter), 'text[]')}) as s (state)`;
  const tabs = Object.entries(QUEUE_TABS).map(
    ([tab, choice]) => `select 'tab', '${tab}', ${tabCount(from, { ...filter, ...choice }, search, ctx, $)}`,
  );
  const { rows } = await ctx.db.query<{ facet: Facet | 'tab' | 'rows'; value: string; count: number }>(
    `with base as materialized (${baseOf(from, filter, search, ctx, $)})
     ${FACETS.map(
       (facet) => `select '${facet}' as facet, ${facet}::text as value, count(*)::integer as count from base
       where ${FACETS.filter((other) => other !== facet)
         .map((other) => `has_${other}`)
         .join(' and ')} and ${facet} is not null group by ${facet}`,
     ).join(' union all ')}
     union all select 'rows', '', count(*)::integer from base
     union all ${tabs.join(' union all ')}`,
    $.values,
  );
  const counted = rows.find((row) => row.facet === 'rows')?.count ?? 0;
  const partial = counted > FACET_ROWS;
  const of = (facet: Facet) =>
    new Map(
      rows
        .filter((row) => row.facet === facet)
        .map(({ value, count }) => {
          const figure = bounded(count);
          return [value, { ...figure, more: figure.more || partial }] as const;
        }),
    );
  const tab = (name: string) =>
    bounded(rows.find((row) => row.facet === 'tab' && row.value === name)?.count ?? 0);
  return {
    facets: { severity: of('severity'), operation: of('operation'), system: of('system') },
    partial,
    tabs: Object.fromEntries(Object.keys(QUEUE_TABS).map((name) => [name, tab(name)])) as FacetCounts['tabs'],
  };
}

/** Rows that meet everything but, at most, one facet, and which facets they meet. */
function baseOf(
  from: string,
  filter: ExceptionFilter,
  search: SearchScope,
  ctx: ReadContext,
  $: SqlParameters,
): string {
  const parts = exceptionParts(filter, search, ctx.actor, $);
  const rest = Object.entries(parts).filter(([name]) => !(FACETS as readonly string[]).includes(name));
  const has = (facet: Facet) => (parts[facet] === undefined ? 'true' : `(${parts[facet]}) is true`);
  const unmet = FACETS.filter((facet) => parts[facet] !== undefined);
  const near =
    unmet.length < 2
      ? 'true'
      : `${unmet.map((facet) => `(${has(facet)})::integer`).join(' + ')} >= ${unmet.length - 1}`;
  const limit = `limit ${$.add(FACET_ROWS + 1, 'integer')}`;
  return `select b.* from ${from} cross join lateral (
      select x.severity, x.operation, x.system, ${FACETS.map((facet) => `${has(facet)} as has_${facet}`).join(', ')}
      from review.exceptions x
      where x.tenant_id = t.tenant_id and x.state = s.state and ${[...rest.map(([, part]) => part), near].join(' and ')}
      order by x.severity, x.due_at, x.exception_id ${limit}) b ${limit}`;
}

function tabCount(
  from: string,
  filter: ExceptionFilter,
  search: SearchScope,
  ctx: ReadContext,
  $: SqlParameters,
): string {
  return `(select coalesce(sum(n.count), 0)::integer from ${from} cross join lateral (
    select count(*) from (select from review.exceptions x where x.tenant_id = t.tenant_id and x.state = s.state
      and ${exceptionConditions(filter, search, ctx.actor, $)} limit ${$.add(COUNT_LIMIT + 1, 'integer')}) few) n)`;
}
