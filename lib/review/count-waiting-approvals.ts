import 'server-only';
import { COUNT_LIMIT, type BoundedCount } from './bounded-count';
import { type ReadContext } from './read-context';

/** Requests of the actor's tenants that wait for a second person. */
export async function countWaitingApprovals(ctx: ReadContext): Promise<BoundedCount> {
  const { rows } = await ctx.db.query<{ count: number }>(
    `select count(*)::integer as count from (
       select from review.approval_requests where tenant_id = any($1::text[]) and state = 'PENDING' limit $2) bounded`,
    [ctx.actor.tenantIds, COUNT_LIMIT + 1],
  );
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, COUNT_LIMIT), more: count > COUNT_LIMIT };
}
