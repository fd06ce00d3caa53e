// What keeps the worker's own queue going, whatever happened to an earlier worker.
import type { Pool } from '@/lib/db/pool';
import { planSweep } from './worker-tasks';

/**
 * Seconds; every job of ours ends well within them, so a longer lock is a dead worker's (B-22): somebody waits for its key.
 * One look at an outside system takes a few seconds at most, and its evidence is due soon after the horizon.
 */
const DEAD_AFTER_SECONDS = { lookup: 20, other: 60 };

/** Tells /api/ready that this worker lives. */
export async function beat(pool: Pool, workerId: string): Promise<void> {
  await pool.query(
    `INSERT INTO review.worker_heartbeats (worker_id) VALUES ($1)
     ON CONFLICT (worker_id) DO UPDATE SET seen_at = ledger.clock()`,
    [workerId],
  );
}

/** The row goes with the worker; rows of killed ones are taken along once they are a day old. */
export async function endBeat(pool: Pool, workerId: string): Promise<void> {
  await pool.query(
    `DELETE FROM review.worker_heartbeats WHERE worker_id = $1 OR seen_at < ledger.clock() - interval '1 day'`,
    [workerId],
  );
}

/**
 * Frees jobs that a killed worker took along: the library itself would wait four hours. Answers how many.
 * Every task of ours may run twice: it records what it did in the same transaction as the next plan.
 */
export async function freeDeadJobs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ locked_by: string }>(
    `SELECT DISTINCT locked_by FROM graphile_worker.jobs
      WHERE locked_at < clock_timestamp() - make_interval(secs => CASE task_identifier WHEN 'lookup' THEN $1::float8 ELSE $2::float8 END)
        AND locked_by IS NOT NULL`,
    [DEAD_AFTER_SECONDS.lookup, DEAD_AFTER_SECONDS.other],
  );
  if (rows.length === 0) return 0;
  await pool.query('SELECT graphile_worker.force_unlock_workers($1)', [rows.map((row) => row.locked_by)]);
  return rows.length;
}

/** Starts the sweep again when no job for it is waiting or running: it must never end (B-91). */
export async function ensureSweep(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'sweep' AND attempts < max_attempts`,
  );
  if (rows.length > 0) return false;
  await planSweep(pool, 0);
  return true;
}
