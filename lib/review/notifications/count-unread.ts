import 'server-only';
import type { BoundedCount } from '../bounded-count';
import type { ReadContext } from '../read-context';

/** Nobody needs to know how many more: the bell has room for two digits. */
const MOST = 99;

/** What the actor has not read of what they may see now. Index: notifications_unread. */
export async function countUnread(ctx: ReadContext): Promise<BoundedCount> {
  const { rows } = await ctx.db.query<{ count: number }>(
    `select count(*)::integer as count from (
       select from review.notifications where person_id = $1::uuid and read_at is null and tenant_id = any($2::text[]) limit $3) bounded`,
    [ctx.actor.personId, ctx.actor.tenantIds, MOST + 1],
  );
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, MOST), more: count > MOST };
}
