import 'server-only';
import { csvRows, CSV_START } from '@/lib/domain/csv';
import type { ReadContext } from '../read-context';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const COLUMNS = [
  ...['row', 'verdict', 'reason', 'matchValue', 'resultId', 'status', 'account', 'exceptionId'],
  ...['sampled', 'checkAgrees', 'outcome', 'outcomeCode', 'orphanId', 'appliedAt'],
] as const;

const ROWS = `
  select w.row_number::text as row, w.verdict, w.reason, w.match_value as "matchValue", w.result_id as "resultId",
         w.status_word as status, w.account, w.exception_id::text as "exceptionId", w.sampled::text as sampled,
         c.agrees::text as "checkAgrees", w.outcome, w.outcome_code as "outcomeCode", w.orphan_id::text as "orphanId",
         ledger.instant(w.applied_at) as "appliedAt"
    from review.provider_reports r
    join review.report_rows w on w.report_id = r.report_id
    left join review.report_checks c on c.report_id = w.report_id and c.row_number = w.row_number
   where r.report_id = $1::uuid and r.tenant_id = any($2::text[]) order by w.row_number`;

type Row = Record<(typeof COLUMNS)[number], string | null>;

/** R-056 Every row with its verdict and what became of it, as a file; null outside the person's tenants. */
export async function exportReport(ctx: ReadContext, reportId: string): Promise<string | null> {
  if (!UUID.test(reportId)) return null;
  const { rows } = await ctx.db.query<Row>(ROWS, [reportId, ctx.actor.tenantIds]);
  if (rows.length === 0) return null;
  return CSV_START + csvRows([COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name]))]);
}
