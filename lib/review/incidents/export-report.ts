import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import { csvRows, CSV_START } from '@/lib/domain/csv';
import { auditRefusal } from '../audit-refusal';
import type { DeskContext } from '../desk-context';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EVENT = 'incident.report_exported';

const COLUMNS = [
  ...['row', 'verdict', 'reason', 'matchValue', 'resultId', 'status', 'account', 'exceptionId'],
  ...['sampled', 'checkAgrees', 'outcome', 'outcomeCode', 'orphanId', 'appliedAt', 'setAsideError'],
] as const;

// The rights of this moment, and not those that the page was shown with.
const REPORT = `
  select r.tenant_id as "tenantId", r.operation, r.incident_id as "incidentId", r.sha256
    from review.provider_reports r join review.held_actor() a on r.tenant_id = any(a.tenant_ids)
   where r.report_id = $1::uuid`;

const ROWS = `
  select w.row_number::text as row, w.verdict, w.reason, w.match_value as "matchValue", w.result_id as "resultId",
         w.status_word as status, w.account, w.exception_id::text as "exceptionId", w.sampled::text as sampled,
         c.agrees::text as "checkAgrees", w.outcome, w.outcome_code as "outcomeCode", w.orphan_id::text as "orphanId",
         ledger.instant(w.applied_at) as "appliedAt", w.last_error as "setAsideError"
    from review.report_rows w
    left join review.report_checks c on c.report_id = w.report_id and c.row_number = w.row_number
   where w.report_id = $1::uuid order by w.row_number`;

type Row = Record<(typeof COLUMNS)[number], string | null>;
type Report = Record<'tenantId' | 'operation' | 'incidentId' | 'sha256', string>;

/** R-056 Every row with its verdict and what became of it, as a file, on record first; null outside the person's tenants. */
export async function exportReport(ctx: DeskContext, reportId: string): Promise<string | null> {
  const csv = UUID.test(reportId) ? await recordAndRead(ctx, reportId) : null;
  if (csv === null) await auditRefusal(ctx, EVENT, 'NOT_FOUND', {}, {});
  return csv;
}

function recordAndRead(ctx: DeskContext, reportId: string): Promise<string | null> {
  return transaction(ctx.pool, ctx.context, async (tx) => {
    const [report] = (await tx.query<Report>(REPORT, [reportId])).rows;
    if (report === undefined) return null;
    const { rows } = await tx.query<Row>(ROWS, [reportId]);
    const { tenantId, operation, incidentId, sha256 } = report;
    const body = { format: 'csv', reportId, incidentId, sha256, reportRows: rows.length };
    await appendAudit(tx, { event: EVENT, outcome: 'done', tenantId, operation, body });
    return CSV_START + csvRows([COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name]))]);
  });
}
