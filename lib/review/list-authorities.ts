import 'server-only';
import { type ReadContext } from './read-context';

/** What somebody has to be allowed to decide about in the actor's tenants, by name; the default's is among them. */
export async function listAuthorities(ctx: ReadContext): Promise<string[]> {
  const { rows } = await ctx.db.query<{ authority: string }>(
    `select distinct authority from ledger.operation_policies
     where retired_at is null and (tenant_id = any($1::text[]) or tenant_id = '*') order by authority limit 100`,
    [ctx.actor.tenantIds],
  );
  return rows.map((row) => row.authority);
}
