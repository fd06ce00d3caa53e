import 'server-only';
import { type ReadContext } from './read-context';

export interface TenantName {
  tenantId: string;
  displayName: string;
  /** Made-up data: marked as such wherever it shows. */
  demo: boolean;
}

/** The actor's tenants, by name. */
export async function listTenants(ctx: ReadContext): Promise<TenantName[]> {
  const { rows } = await ctx.db.query<{ tenant_id: string; display_name: string; demo: boolean }>(
    `select tenant_id, display_name, demo from review.tenants where tenant_id = any($1::text[]) order by display_name, tenant_id`,
    [ctx.actor.tenantIds],
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, displayName: row.display_name, demo: row.demo }));
}
