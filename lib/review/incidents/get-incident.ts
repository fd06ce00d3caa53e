import 'server-only';
import type { Actor } from '@/lib/domain/actor';
import type { IncidentMember, IncidentOperation, IncidentView, ReportLine } from '@/lib/domain/incident-view';
import { hasRoleFor } from '@/lib/domain/permissions';
import type { RefusalCode } from '@/lib/domain/refusals';
import type { ReadContext } from '../read-context';
import { comparedFields } from './report-ground';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Members of one page. */
const PAGE = 50;
const REPORTS_SHOWN = 100;

const INCIDENT = `
  select ledger.instant(ledger.clock()) as now, i.incident_id as "incidentId", i.tenant_id as "tenantId", t.display_name as "tenantName",
         i.system, i.state, ledger.instant(i.since) as since, ledger.instant(i.opened_at) as "openedAt",
         ledger.instant(i.closed_at) as "closedAt", count(*)::integer as members,
         count(*) filter (where x.state = 'OPEN')::integer as open
    from review.incidents i
    join review.tenants t on t.tenant_id = i.tenant_id
    join review.incident_members m on m.incident_id = i.incident_id
    join review.exceptions x on x.exception_id = m.exception_id
   where i.incident_id = $1::uuid and i.tenant_id = any($2::text[])
   group by i.incident_id, t.display_name`;

// Index: incident_members_by_incident.
const MEMBERS = `
  select x.exception_id as "exceptionId", x.operation, e.idempotency_key as key, x.state, e.result_id as "resultId"
    from review.incident_members m
    join review.exceptions x on x.exception_id = m.exception_id
    join ledger.executions e on e.execution_id = x.execution_id
   where m.incident_id = $1::uuid and ($2::uuid is null or m.exception_id > $2::uuid)
   order by m.exception_id limit ${PAGE + 1}`;

const OPERATIONS = `
  select distinct x.operation, p.display_fields as fields
    from review.incident_members m join review.exceptions x on x.exception_id = m.exception_id
    cross join lateral ledger.policy_for(x.tenant_id, x.operation) p
   where m.incident_id = $1::uuid order by 1`;

const REPORTS = `
  select r.report_id as "reportId", r.operation, r.file_name as "fileName", r.state, r.row_count as rows,
         ledger.instant(r.judged_at) as "judgedAt",
         jsonb_build_object('personId', r.judged_by, 'displayName', p.display_name) as "judgedBy"
    from review.provider_reports r join review.people p on p.person_id = r.judged_by
   where r.incident_id = $1::uuid order by r.judged_at desc limit ${REPORTS_SHOWN}`;

type Read = Omit<IncidentView, 'page' | 'next' | 'operations' | 'reports' | 'actRefusal'> & {
  tenantId: string;
};

/** An outage with a page of its results; null outside the person's tenants. */
export async function getIncident(
  ctx: ReadContext,
  incidentId: string,
  after: string | null,
): Promise<IncidentView | null> {
  if (!UUID.test(incidentId)) return null;
  const { rows } = await ctx.db.query<Read & Record<string, unknown>>(INCIDENT, [
    incidentId,
    ctx.actor.tenantIds,
  ]);
  const [found] = rows;
  if (found === undefined) return null;
  const { tenantId, ...incident } = found;
  const cursor = after !== null && UUID.test(after) ? after : null;
  const { rows: members } = await ctx.db.query<IncidentMember & Record<string, unknown>>(MEMBERS, [
    incidentId,
    cursor,
  ]);
  const { rows: reports } = await ctx.db.query<ReportLine & Record<string, unknown>>(REPORTS, [incidentId]);
  const page = members.slice(0, PAGE);
  return {
    ...incident,
    page,
    next: members.length > PAGE ? (page.at(-1)?.exceptionId ?? null) : null,
    operations: await operationsOf(ctx, incidentId, tenantId),
    reports,
    actRefusal: actRefusal(ctx.actor, incident.state),
  };
}

async function operationsOf(
  ctx: ReadContext,
  incidentId: string,
  tenantId: string,
): Promise<IncidentOperation[]> {
  const { rows } = await ctx.db.query<{ operation: string; fields: string[] }>(OPERATIONS, [incidentId]);
  return Promise.all(
    rows.map(async ({ operation, fields }) => ({
      operation,
      compared: [...(await comparedFields(ctx.db, { tenantId, operation })).keys()],
      shown: [...fields.map((field) => `{display:${field}}`), '{businessRef}'],
    })),
  );
}

/** The operation's authority is asked for where it is known: by each row, and by the report's operation. */
function actRefusal(actor: Actor, state: IncidentView['state']): RefusalCode | null {
  if (!hasRoleFor(actor, 'lookup.request')) return 'ROLE_MISSING';
  return state === 'OPEN' ? null : 'INCIDENT_CLOSED';
}
