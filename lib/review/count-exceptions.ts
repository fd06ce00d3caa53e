import 'server-only';
import { EXCEPTION_KINDS, type ExceptionKind } from '@/lib/domain/exception-kinds';
import { bounded, COUNT_LIMIT, type BoundedCount } from './bounded-count';
import { exceptionConditions, statesOf, tenantsOf, type ExceptionFilter } from './exception-filter';
import { type ReadContext } from './read-context';
import { searchScope } from './search-scope';
import { SqlParameters } from './sql-parameters';

export interface ExceptionCounts {
  total: BoundedCount;
  byKind: Record<ExceptionKind, BoundedCount>;
}

/**
 * How many exceptions a filter leaves, per kind; the filter's own kinds do not narrow the figures, so that each shows what
 * choosing it would bring. Null when the search text is too broad to say. Same conditions as the list. Counts along exceptions_by_kind: unordered, the planner
 * would trust that matches lie everywhere and read the table once per kind.
 */
export async function countExceptions(
  ctx: ReadContext,
  filter: ExceptionFilter,
): Promise<ExceptionCounts | null> {
  const tenants = tenantsOf(ctx.actor, filter);
  const search = await searchScope(ctx.db, filter.text, tenants);
  if (search === 'too-broad') return null;
  const $ = new SqlParameters();
  const { rows } = await ctx.db.query<{ kind: ExceptionKind; count: number }>(
    `select k.kind, sum(n.count)::integer as count
     from unnest(${$.add(tenants, 'text[]')}) as t (tenant_id)
     cross join unnest(${$.add(statesOf(filter), 'text[]')}) as s (state)
     cross join unnest(${$.add(EXCEPTION_KINDS, 'text[]')}) as k (kind)
     cross join lateral (
       select count(*) from (
         select from review.exceptions x
         where x.tenant_id = t.tenant_id and x.state = s.state and x.kind = k.kind
           and ${exceptionConditions({ ...filter, kinds: [] }, search, ctx.actor, $)}
         order by x.severity, x.due_at, x.exception_id
         limit ${$.add(COUNT_LIMIT + 1, 'integer')}) bounded) n
     group by k.kind`,
    $.values,
  );
  const byKind = Object.fromEntries(
    EXCEPTION_KINDS.map((kind) => [kind, bounded(0)]),
  ) as ExceptionCounts['byKind'];
  for (const row of rows) byKind[row.kind] = bounded(row.count);
  return { total: sum(Object.values(byKind)), byKind };
}

function sum(counts: readonly BoundedCount[]): BoundedCount {
  const total = counts.reduce((soFar, each) => soFar + each.count, 0);
  return { count: total, more: counts.some((each) => each.more) };
}
