import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import { csvRows, CSV_START } from '@/lib/domain/csv';
import type { DeskContext } from '../desk-context';
import { MAY_SEE, maySee } from './job-line';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const COLUMNS = [
  ...['row', 'exceptionId', 'kind', 'operation', 'key', 'foreseen', 'state', 'code', 'lookupId', 'endedAt'],
] as const;

const ROWS = `
  select w.row_number::text as row, w.exception_id::text as "exceptionId", x.kind, x.operation, e.idempotency_key as key, w.foreseen, w.state,
         w.code, w.lookup_id::text as "lookupId", ledger.instant(w.ended_at) as "endedAt", j.tenant_id
    from review.bulk_jobs j
    join review.bulk_job_rows w on w.job_id = j.job_id
    join review.exceptions x on x.exception_id = w.exception_id
    left join ledger.executions e on e.execution_id = x.execution_id
   where j.job_id = $3::uuid and ${MAY_SEE} order by w.row_number`;

type Row = Record<string, string | null> & { tenant_id: string };

/** R-053 Every row with what became of it, as a file and on record; null for whom the job does not concern. */
export async function exportBulkJob(ctx: DeskContext, jobId: string): Promise<string | null> {
  if (!UUID.test(jobId)) return null;
  return transaction(ctx.pool, ctx.context, async (tx) => {
    const { rows } = await tx.query<Row>(ROWS, [...maySee(ctx.actor), jobId]);
    const [first] = rows;
    if (first === undefined) return null;
    await appendAudit(tx, {
      event: 'bulk.exported',
      outcome: 'done',
      tenantId: first.tenant_id,
      body: { jobId, jobRows: rows.length },
    });
    return CSV_START + csvRows([COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name] ?? null))]);
  });
}
