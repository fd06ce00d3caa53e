import { z } from 'zod';
import type { Pool } from '@/lib/db/pool';
import { sqlstateOf } from '@/lib/db/sqlstate';
import { transaction, type TransactionContext } from '@/lib/db/transaction';

/** Payload of the job `apply-report`, enqueued with the second person's word. */
const jobSchema = z.strictObject({ reportId: z.uuid() });

/** Rows of one run: it ends long before a worker counts as dead, and the next run goes on where it stopped. */
const ROWS_PER_RUN = 500;

export type ReportRun =
  | { done: 'ENDED' | 'GOES_ON' | 'BUSY'; rows: number }
  | { done: 'HELD_UP'; rows: number; error: string; nextTryAt: string | null }
  | { done: 'NOTHING_TO_DO' };

interface Run {
  pool: Pool;
  context: TransactionContext;
  reportId: string;
}

/**
 * R-056 Carries a confirmed report out, each row in a transaction of its own: a worker that is killed leaves rows that are
 * done and rows that wait, and nothing in between. What stops it is kept, and the next try planned.
 */
export async function applyReport(
  pool: Pool,
  payload: unknown,
  jobId: string,
  rowsPerRun = ROWS_PER_RUN,
): Promise<ReportRun> {
  const job = jobSchema.safeParse(payload);
  if (!job.success) return { done: 'NOTHING_TO_DO' };
  const run: Run = {
    pool,
    context: {
      actor: { kind: 'system', id: 'system:worker' },
      requestId: `job:${jobId}`,
      sourceAddress: null,
    },
    reportId: job.data.reportId,
  };
  let rows = 0;
  try {
    for (; rows < rowsPerRun; rows += 1) {
      const outcome = await applyRow(run);
      if (outcome !== 'row') return { done: outcome === 'ended' ? 'ENDED' : 'BUSY', rows };
    }
    await inTransaction(run, 'select review.go_on_with_report($1::uuid)', []);
    return { done: 'GOES_ON', rows };
  } catch (error) {
    return holdUp(run, error, rows);
  }
}

async function applyRow(run: Run): Promise<string> {
  const statement = `select review.apply_report_row($1::uuid)->>'outcome' as told`;
  return (await inTransaction(run, statement, [])) ?? 'ended';
}

/** Where this cannot be kept either, the job fails, and the sweep finds the report without one. */
async function holdUp(run: Run, error: unknown, rows: number): Promise<ReportRun> {
  const code = sqlstateOf(error) ?? (error instanceof Error ? error.name : 'Error');
  const statement = 'select ledger.instant(review.hold_report_up($1::uuid, $2, $3)) as told';
  const nextTryAt = await inTransaction(run, statement, [code, rows > 0]);
  return { done: 'HELD_UP', rows, error: code, nextTryAt };
}

function inTransaction(
  { pool, context, reportId }: Run,
  statement: string,
  values: readonly unknown[],
): Promise<string | null> {
  return transaction(pool, context, async (tx) => {
    const { rows } = await tx.query<{ told: string | null }>(statement, [reportId, ...values]);
    return rows[0]?.told ?? null;
  });
}
