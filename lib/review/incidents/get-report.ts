import 'server-only';
import type { Actor } from '@/lib/domain/actor';
import type { IncidentMember, ReportRowView, ReportView } from '@/lib/domain/incident-view';
import { hasAuthority, hasRoleFor } from '@/lib/domain/permissions';
import type { RefusalCode } from '@/lib/domain/refusals';
import type { ReadContext } from '../read-context';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PAGE = 50;
const ABSENT_SHOWN = 20;

const REPORT = `
  select ledger.instant(ledger.clock()) as now, r.incident_id as "incidentId", i.system, t.display_name as "tenantName",
         r.report_id as "reportId", r.operation, p.authority, r.file_name as "fileName", r.sha256, r.row_count as "rowCount",
         ledger.instant(r.as_of) as "asOf", r.state, ledger.instant(r.judged_at) as "judgedAt",
         ledger.instant(r.expires_at) as "expiresAt", ledger.instant(r.decided_at) as "decidedAt",
         jsonb_build_object('personId', r.judged_by, 'displayName', a.display_name) as "judgedBy",
         case when c.person_id is not null
           then jsonb_build_object('personId', c.person_id, 'displayName', c.display_name) end as "proposedBy",
         case when b.person_id is not null
           then jsonb_build_object('personId', b.person_id, 'displayName', b.display_name) end as "decidedBy",
         case when r.state = 'CONFIRMED' and r.failures > 0 then jsonb_build_object('since', ledger.instant(r.held_up_since),
           'failures', r.failures, 'error', r.last_error, 'nextTryAt', ledger.instant(r.next_try_at)) end as "heldUp",
         (select jsonb_object_agg(s.verdict, s.so_many) from (
            select w.verdict, count(*) as so_many from review.report_rows w where w.report_id = r.report_id group by 1) s) as verdicts,
         coalesce((select jsonb_object_agg(s.outcome, s.so_many) from (
            select w.outcome, count(*) as so_many from review.report_rows w
             where w.report_id = r.report_id and w.outcome is not null group by 1) s), '{}') as outcomes,
         (select count(*)::integer from review.report_rows w where w.report_id = r.report_id and w.failures > 0) as "setAside"
    from review.provider_reports r
    join review.incidents i on i.incident_id = r.incident_id
    join review.tenants t on t.tenant_id = r.tenant_id
    join review.people a on a.person_id = r.judged_by
    left join review.people c on c.person_id = r.proposed_by
    left join review.people b on b.person_id = r.decided_by
    cross join lateral ledger.policy_for(r.tenant_id, r.operation) p
   where r.report_id = $1::uuid and r.tenant_id = any($2::text[])`;

const rowsWhere = (where: string) => `
  select w.row_number as "rowNumber", w.verdict, w.reason, w.match_value as "matchValue", w.result_id as "resultId",
         w.status_word as "statusWord", w.account, w.exception_id as "exceptionId", w.orphan_id as "orphanId",
         w.account_match as "accountMatch", w.comparison, w.sampled, w.outcome, w.outcome_code as "outcomeCode",
         case when w.failures > 0 then jsonb_build_object('error', w.last_error, 'failures', w.failures,
           'nextTryAt', ledger.instant(w.next_try_at)) end as "setAside",
         case when c.checked_by is not null then jsonb_build_object(
           'by', jsonb_build_object('personId', c.checked_by, 'displayName', p.display_name), 'at', ledger.instant(c.checked_at),
           'agrees', c.agrees, 'place', c.place, 'address', c.address, 'remark', c.remark) end as check
    from review.report_rows w
    left join review.report_checks c on c.report_id = w.report_id and c.row_number = w.row_number
    left join review.people p on p.person_id = c.checked_by
   where w.report_id = $1::uuid and ${where} order by w.row_number`;

const SAMPLE = rowsWhere('w.sampled');
const ROWS = `${rowsWhere('w.row_number > $2')} limit ${PAGE + 1}`;

// Index: report_rows_by_execution.
const ABSENT = `
  select x.exception_id as "exceptionId", x.operation, e.idempotency_key as key, x.state, e.result_id as "resultId",
         count(*) over ()::integer as total
    from review.provider_reports r
    join review.incident_members m on m.incident_id = r.incident_id
    join review.exceptions x on x.exception_id = m.exception_id and x.state = 'OPEN' and x.operation = r.operation
    join ledger.executions e on e.execution_id = x.execution_id
   where r.report_id = $1::uuid
     and not exists (select from review.report_rows w where w.execution_id = e.execution_id and w.report_id = r.report_id)
   order by x.exception_id limit ${ABSENT_SHOWN}`;

type Read = Omit<
  ReportView,
  | 'sample'
  | 'page'
  | 'next'
  | 'absent'
  | 'absentCount'
  | 'proposeRefusal'
  | 'checkRefusal'
  | 'confirmRefusal'
  | 'endRefusal'
>;
type Row = ReportRowView & Record<string, unknown>;

/** A provider's report with a page of its rows; null outside the person's tenants. */
export async function getReport(
  ctx: ReadContext,
  reportId: string,
  after: number,
): Promise<ReportView | null> {
  if (!UUID.test(reportId)) return null;
  const { rows } = await ctx.db.query<Read & Record<string, unknown>>(REPORT, [
    reportId,
    ctx.actor.tenantIds,
  ]);
  const [report] = rows;
  if (report === undefined) return null;
  const { rows: sample } = await ctx.db.query<Row>(SAMPLE, [reportId]);
  const { rows: found } = await ctx.db.query<Row>(ROWS, [reportId, after]);
  const { rows: absent } = await ctx.db.query<IncidentMember & { total: number } & Record<string, unknown>>(
    ABSENT,
    [reportId],
  );
  const page = found.slice(0, PAGE);
  return {
    ...report,
    sample,
    page,
    next: found.length > PAGE ? String(page.at(-1)?.rowNumber ?? '') : null,
    absent: absent.map(({ total: _total, ...member }) => member),
    absentCount: absent[0]?.total ?? 0,
    ...refusals(ctx.actor, report, sample),
  };
}

/** Mirrors the functions of the database, which judge again. */
function refusals(
  actor: Actor,
  report: Read,
  sample: readonly ReportRowView[],
): Pick<ReportView, 'proposeRefusal' | 'checkRefusal' | 'confirmRefusal' | 'endRefusal'> {
  const right: RefusalCode | null = !hasRoleFor(actor, 'decision.take')
    ? 'ROLE_MISSING'
    : hasAuthority(actor, report.authority)
      ? null
      : 'AUTHORITY_MISSING';
  const judged = report.judgedBy.personId === actor.personId;
  const own = judged || report.proposedBy?.personId === actor.personId;
  const over: RefusalCode | null =
    Date.parse(report.expiresAt) <= Date.parse(report.now) ? 'REQUEST_EXPIRED' : null;
  const waits = (state: ReportView['state']): RefusalCode | null =>
    report.state === state ? null : 'REQUEST_ENDED';
  const brings = (report.verdicts.LINK ?? 0) + (report.verdicts.ORPHAN ?? 0) > 0;
  const check = right ?? (own ? 'SELF_APPROVAL' : null) ?? waits('PROPOSED') ?? over;
  return {
    proposeRefusal: right ?? waits('JUDGED') ?? over ?? (brings ? null : 'NOTHING_TO_APPLY'),
    checkRefusal: check,
    confirmRefusal: check ?? (sample.every((row) => row.check !== null) ? null : 'SAMPLE_INCOMPLETE'),
    endRefusal: right ?? (judged && report.state === 'JUDGED' ? null : waits('PROPOSED')),
  };
}
