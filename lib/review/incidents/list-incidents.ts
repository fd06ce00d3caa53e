import 'server-only';
import type { IncidentLine } from '@/lib/domain/incident-view';
import type { ReadContext } from '../read-context';

// Index: incidents_one_open.
const OPEN = `
  select i.incident_id as "incidentId", t.display_name as "tenantName", i.system, ledger.instant(i.since) as since,
         count(*)::integer as members, count(*) filter (where x.state = 'OPEN')::integer as open
    from review.incidents i
    join review.tenants t on t.tenant_id = i.tenant_id
    join review.incident_members m on m.incident_id = i.incident_id
    join review.exceptions x on x.exception_id = m.exception_id
   where i.state = 'OPEN' and i.tenant_id = any($1::text[])
   group by i.incident_id, t.display_name order by i.since, i.incident_id`;

/** The outages of the person's tenants that are not over. */
export async function listIncidents(ctx: ReadContext): Promise<IncidentLine[]> {
  return (await ctx.db.query<IncidentLine & Record<string, unknown>>(OPEN, [ctx.actor.tenantIds])).rows;
}
