import 'server-only';
import { type ReadContext } from './read-context';

/** The most names that a menu holds. */
const MOST = 100;

/**
 * The outside systems of open exceptions in the actor's tenants, by name. Jumps from name to name along exceptions_by_system,
 * so that its cost is that of the names and not of the rows.
 */
export async function listSystems(ctx: ReadContext): Promise<string[]> {
  const { rows } = await ctx.db.query<{ system: string }>(
    `with recursive named as (
       select t.tenant_id, (select min(x.system) from review.exceptions x where x.tenant_id = t.tenant_id and x.state = 'OPEN') as system
       from unnest($1::text[]) as t (tenant_id)
       union all
       select n.tenant_id,
         (select min(x.system) from review.exceptions x where x.tenant_id = n.tenant_id and x.state = 'OPEN' and x.system > n.system)
       from named n where n.system is not null)
     select distinct system from named where system is not null order by system limit ${MOST}`,
    [ctx.actor.tenantIds],
  );
  return rows.map((row) => row.system);
}
