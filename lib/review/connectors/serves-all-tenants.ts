import 'server-only';
import type { ReadContext } from '../read-context';

/** Whether the reader has every tenant that there is, as a connector for all of them takes it. */
export async function servesAllTenants(ctx: ReadContext): Promise<boolean> {
  const { rows } = await ctx.db.query<{ all: boolean }>(
    `select not exists (select from review.tenants where not tenant_id = any($1::text[])) as all`,
    [ctx.actor.tenantIds],
  );
  return rows[0]?.all === true;
}
