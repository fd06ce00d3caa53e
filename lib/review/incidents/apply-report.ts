import { z } from 'zod';
import type { Pool } from '@/lib/db/pool';
import { sqlstateOf } from '@/lib/db/sqlstate';
import { transaction, type TransactionContext } from '@/lib/db/transaction';

/** Payload of the job `apply-report`, enqueued with the second person's word. */
const jobSchema = z.strictObject({ reportId: z.uuid() });

/** Rows of one run: it ends long before a worker counts as dead, and the next run goes on where it stopped. */
const ROWS_PER_RUN = 500;
/** As many rows that fail one after the other are no longer a matter of each: the whole report waits. */
const FAILURES_IN_A_ROW = 10;

export type ReportRun =
  | { done: 'ENDED' | 'GOES_ON' | 'BUSY'; rows: number }
  | { done: 'HELD_UP'; rows: number; aside: number; error: string | null; nextTryAt: string | null }
  | { done: 'NOTHING_TO_DO' };

interface Run {
  pool: Pool;
  context: TransactionContext;
  reportId: string;
}

/**
 * R-056 Carries a confirmed report out, each row in a transaction of its own: a worker that is killed leaves rows that are
 * done and rows that wait, and nothing in between. A row that cannot be carried out is set aside for later, its error on it,
 * and the next one goes on; what stops them all is kept, and the next try planned.
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
  const counts = { rows: 0, aside: 0 };
  try {
    for (let inARow = 0; counts.rows + counts.aside < rowsPerRun;) {
      const step = await applyNext(run);
      if (step.outcome === 'aside') return await holdUp(run, null, counts);
      if (step.outcome === 'busy') return { done: 'BUSY', rows: counts.rows };
      if (step.outcome === 'ended') return { done: 'ENDED', rows: counts.rows };
      inARow = step.outcome === 'failed' ? inARow + 1 : 0;
      counts[step.outcome === 'failed' ? 'aside' : 'rows'] += 1;
      if (step.outcome === 'failed' && inARow === FAILURES_IN_A_ROW)
        return await holdUp(run, step.error, counts);
    }
    await inTransaction(run, 'select review.go_on_with_report($1::uuid)', []);
    return { done: 'GOES_ON', rows: counts.rows };
  } catch (error) {
    return holdUp(run, codeOf(error), counts);
  }
}

type Step = { outcome: 'row' | 'aside' | 'busy' | 'ended' } | { outcome: 'failed'; error: string };

/** A row that meets a lock is tried once more at once, and then later: the ones behind it wait for it no longer. */
const ATTEMPTS = 2;

/** What ends the row's transaction, wherever it does, is that row's; what ends the choice of a row passes. */
async function applyNext(run: Run): Promise<Step> {
  let rowNumber: number | null = null;
  try {
    return await transaction(
      run.pool,
      run.context,
      async (tx) => {
        rowNumber = null;
        const { rows } = await tx.query<{ told: Taken }>('select review.take_report_row($1::uuid) as told', [
          run.reportId,
        ]);
        const taken = rows[0]?.told ?? { outcome: 'ended' };
        if (taken.outcome !== 'row') return taken;
        rowNumber = taken.rowNumber;
        await tx.query('select review.apply_report_row($1::uuid, $2)', [run.reportId, rowNumber]);
        return { outcome: 'row' };
      },
      { attempts: ATTEMPTS },
    );
  } catch (error) {
    if (rowNumber === null) throw error;
    await inTransaction(run, 'select review.set_report_row_aside($1::uuid, $2, $3)', [
      rowNumber,
      codeOf(error),
    ]);
    return { outcome: 'failed', error: codeOf(error) };
  }
}

type Taken = { outcome: 'row'; rowNumber: number } | { outcome: 'aside' | 'busy' | 'ended' };

const codeOf = (error: unknown) => sqlstateOf(error) ?? (error instanceof Error ? error.name : 'Error');

/** Where this cannot be kept either, the job fails, and the sweep finds the report without one. */
async function holdUp(
  run: Run,
  error: string | null,
  { rows, aside }: { rows: number; aside: number },
): Promise<ReportRun> {
  const statement = 'select ledger.instant(review.hold_report_up($1::uuid, $2, $3)) as told';
  const nextTryAt = await inTransaction(run, statement, [error, rows > 0]);
  return { done: 'HELD_UP', rows, aside, error, nextTryAt };
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
