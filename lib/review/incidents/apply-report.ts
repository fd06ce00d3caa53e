import { z } from 'zod';
import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';

/** Payload of the job `apply-report`, enqueued with the second person's word. */
const jobSchema = z.strictObject({ reportId: z.uuid() });

/** Rows of one run: it ends long before a worker counts as dead, and the next run goes on where it stopped. */
const ROWS_PER_RUN = 500;

export type ReportRun = { done: 'ENDED' | 'GOES_ON' | 'BUSY'; rows: number } | { done: 'NOTHING_TO_DO' };

/**
 * R-056 Carries a confirmed report out, each row in a transaction of its own: a worker that is killed leaves rows that are
 * done and rows that wait, and nothing in between.
 */
export async function applyReport(
  pool: Pool,
  payload: unknown,
  jobId: string,
  rowsPerRun = ROWS_PER_RUN,
): Promise<ReportRun> {
  const job = jobSchema.safeParse(payload);
  if (!job.success) return { done: 'NOTHING_TO_DO' };
  const { reportId } = job.data;
  const context: TransactionContext = {
    actor: { kind: 'system', id: 'system:worker' },
    requestId: `job:${jobId}`,
    sourceAddress: null,
  };
  for (let rows = 0; rows < rowsPerRun; rows += 1) {
    const outcome = await transaction(pool, context, async (tx) => {
      const { rows: answers } = await tx.query<{ outcome: 'row' | 'ended' | 'busy' }>(
        `select review.apply_report_row($1::uuid)->>'outcome' as outcome`,
        [reportId],
      );
      return answers[0]?.outcome;
    });
    if (outcome !== 'row') return { done: outcome === 'ended' ? 'ENDED' : 'BUSY', rows };
  }
  await transaction(pool, context, (tx) =>
    tx.query(`select review.enqueue('apply-report', $1::jsonb, $2)`, [
      JSON.stringify({ reportId }),
      `apply-report:${reportId}`,
    ]),
  );
  return { done: 'GOES_ON', rows: rowsPerRun };
}
