import 'server-only';
import type { OutageOf } from '@/lib/domain/incident-view';
import type { ReadContext } from '../read-context';

// By primary keys.
const OUTAGE = `
  select case when i.incident_id is not null then jsonb_build_object('incidentId', i.incident_id, 'system', i.system, 'state', i.state) end as incident,
         case when x.kind = 'ORPHAN_EFFECT' and x.execution_id is null then x.detail || jsonb_build_object('incidentId', r.incident_id) end as orphan
    from review.exceptions x
    left join review.incident_members m on m.exception_id = x.exception_id
    left join review.incidents i on i.incident_id = m.incident_id
    left join review.provider_reports r on r.report_id::text = x.detail->>'reportId'
   where x.exception_id = $1::uuid and x.tenant_id = any($2::text[])`;

/** The outage that an exception belongs to, and of an orphan effect what the report says of it. */
export async function outageOf(ctx: ReadContext, exceptionId: string): Promise<OutageOf> {
  const { rows } = await ctx.db.query<OutageOf & Record<string, unknown>>(OUTAGE, [
    exceptionId,
    ctx.actor.tenantIds,
  ]);
  return rows[0] ?? { incident: null, orphan: null };
}
