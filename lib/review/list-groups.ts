import 'server-only';
import { type QueueGroup, type QueueGrouping } from '@/lib/domain/queue-groups';
import { type Severity } from '@/lib/domain/exception-kinds';
import { bounded } from './bounded-count';
import { FACET_ROWS } from './count-facets';
import { exceptionConditions, statesOf, tenantsOf, type ExceptionFilter } from './exception-filter';
import { type ReadContext } from './read-context';
import { searchScope } from './search-scope';
import { SqlParameters } from './sql-parameters';

/** What the rows of one group share; null groups are what has none. Index of an incident: incident_members_pkey. */
const SHARED: Readonly<Record<QueueGrouping, string>> = {
  kind: 'x.kind',
  operation: 'x.operation',
  system: 'x.system',
  cause: 'x.cause',
  incident: `(select m.incident_id::text from review.incident_members m join review.incidents i on i.incident_id = m.incident_id and i.state = 'OPEN' where m.exception_id = x.exception_id)`,
};

/** Groups shown; the largest and most pressing come first. */
const MOST = 100;

export interface GroupsAnswer {
  groups: QueueGroup[];
  /** True where only the first FACET_ROWS rows could be grouped: then each figure says "at least". */
  partial: boolean;
}

/**
 * The rows that a filter leaves, by what they share: how many, the oldest, and how pressing. By the list's own conditions, so that
 * opening a group shows as many rows as it says. Null when the search text is too broad to say. Bounded like facets.
 */
export async function listGroups(
  ctx: ReadContext,
  filter: ExceptionFilter,
  by: QueueGrouping,
): Promise<GroupsAnswer | null> {
  const tenants = tenantsOf(ctx.actor, filter);
  const search = await searchScope(ctx.db, filter.text, tenants);
  if (search === 'too-broad') return null;
  const $ = new SqlParameters();
  const limit = `limit ${$.add(FACET_ROWS + 1, 'integer')}`;
  const { rows } = await ctx.db.query<{
    value: string | null;
    count: number;
    oldest: string;
    severity: Severity;
    rows: number;
  }>(
    `with base as materialized (
       select b.* from unnest(${$.add(tenants, 'text[]')}) as t (tenant_id) cross join unnest(${$.add(statesOf(filter), 'text[]')}) as s (state)
       cross join lateral (
         select ${SHARED[by]} as value, x.opened_at, x.severity from review.exceptions x
         where x.tenant_id = t.tenant_id and x.state = s.state and ${exceptionConditions(filter, search, ctx.actor, $)}
         order by x.severity, x.due_at, x.exception_id ${limit}) b ${limit})
     select value, count(*)::integer as count, ledger.instant(min(opened_at)) as oldest, min(severity) as severity,
       (select count(*)::integer from base) as rows
     from base group by value order by min(severity), count(*) desc, value limit ${MOST}`,
    $.values,
  );
  const partial = (rows[0]?.rows ?? 0) > FACET_ROWS;
  const groups = rows.map(({ value, count, oldest, severity }) => {
    const figure = bounded(count);
    return { value, count: figure.count, more: figure.more || partial, oldest, severity };
  });
  return { groups, partial };
}
