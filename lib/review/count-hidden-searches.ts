import 'server-only';
import { auditConditions, visibleWithoutTenant, type AuditFilter } from './audit-filter';
import type { ReadContext } from './read-context';
import { SqlParameters } from './sql-parameters';

/** Counted up to here; more is "more than". */
export const MOST_COUNTED = 999;

/**
 * How many searches a list leaves out (R-088k), at most one more than `MOST_COUNTED`. A search is about no work and holds no
 * words: where the list is narrowed to any, none is hidden.
 */
export async function countHiddenSearches(ctx: ReadContext, filter: AuditFilter): Promise<number> {
  const { operations, tenants, executionId, exceptionId, approvalRequestId, storyOf, events, text, hidden } =
    filter;
  const narrowed = [operations, tenants, events, text].some((each) => each.length > 0);
  const about = [executionId, exceptionId, approvalRequestId, storyOf].some((each) => each !== null);
  if (hidden === null || narrowed || about) return 0;
  const $ = new SqlParameters();
  const where = auditConditions({ ...filter, hidden: null }, { kind: 'none' }, $);
  const { rows } = await ctx.db.query<{ count: number }>(
    `select count(*)::integer as count from (select from review.audit_events e
      where e.event = 'search.made' and e.tenant_id is null and ${visibleWithoutTenant(ctx.actor, $)} and ${where}
      limit ${MOST_COUNTED + 1}) found`,
    $.values,
  );
  return rows[0]?.count ?? 0;
}
