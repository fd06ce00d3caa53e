import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import type { Asking } from '@/lib/lookup/ask-connector';
import { askForRow, type TakenRow } from './ask-for-row';

/** Payload of the job `bulk-job`, enqueued when a bulk job is started or goes on, and by itself. */
const jobSchema = z.strictObject({ jobId: z.uuid() });

/** Milliseconds of one run: a worker that is to stop waits no longer, and others get their turn. */
const RUN_MS = 5_000;
/** Rows under way at once in a run: an outside system that is slow holds up a few rows, not the job. */
const LANES = 4;
/** Milliseconds until a run looks again when others ask for all rows that are left. */
const OTHERS_MS = 1_000;

type Step =
  | { outcome: 'row' }
  | { outcome: 'stopped' }
  | { outcome: 'taken' }
  | { outcome: 'wait'; ms: number }
  | ({ outcome: 'ask' } & TakenRow);

export interface BulkRun {
  /** STOPPED: the job is paused, ended, or never was; GOES_ON: the next run is planned. */
  done: 'STOPPED' | 'GOES_ON';
  rows: number;
}

/**
 * R-053 Carries a bulk job on for a while. The database gives out each row, at the job's rate, and keeps what became of it
 * with the act itself; so any number of workers may run one job, and a killed one leaves rows that are done and rows that wait.
 */
export async function runBulkJob(
  pool: Pool,
  asking: Asking,
  payload: unknown,
  runId: string,
  runMs = RUN_MS,
): Promise<BulkRun> {
  const job = jobSchema.safeParse(payload);
  if (!job.success) return { done: 'STOPPED', rows: 0 };
  const { jobId } = job.data;
  const context: TransactionContext = {
    actor: { kind: 'system', id: 'system:worker' },
    requestId: `job:${runId}`,
    sourceAddress: null,
  };
  const until = performance.now() + runMs;
  const run: BulkRun = { done: 'GOES_ON', rows: 0 };
  const lane = async () => {
    while (run.done === 'GOES_ON') {
      const step = await takeStep(pool, context, jobId);
      if (step.outcome === 'stopped') run.done = 'STOPPED';
      if (step.outcome === 'ask') await askForRow(pool, context, asking, jobId, step);
      if (step.outcome === 'row' || step.outcome === 'ask') run.rows += 1;
      const leftMs = until - performance.now();
      if (leftMs <= 0) return;
      if (step.outcome === 'wait') await pause(Math.min(step.ms, leftMs));
      if (step.outcome === 'taken') await pause(Math.min(OTHERS_MS, leftMs));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  if (run.done === 'GOES_ON')
    await transaction(pool, context, (tx) =>
      tx.query(`select review.enqueue('bulk-job', $1::jsonb, $2)`, [
        JSON.stringify({ jobId }),
        `bulk-job:${jobId}`,
      ]),
    );
  return run;
}

async function takeStep(pool: Pool, context: TransactionContext, jobId: string): Promise<Step> {
  const step = await transaction(
    pool,
    context,
    async (tx) =>
      (await tx.query<{ step: Step }>('select review.step_bulk_job($1::uuid) as step', [jobId])).rows[0]
        ?.step,
  );
  if (step === undefined) throw new Error('bug: step_bulk_job answered nothing');
  return step;
}
