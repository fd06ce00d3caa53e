// What the worker does, by job name. Each task leaves its own trace and never fails for a single bad row.
import type { TaskList } from 'graphile-worker';
import type { Logger } from 'pino';
import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import type { Asking } from '@/lib/lookup/ask-connector';
import { lookUpAutomatically } from '@/lib/lookup/automatic-lookup';
import { deliverMessage, waysOf, type Ways } from '@/lib/outbox/deliver-message';
import { planDeliveries } from '@/lib/outbox/plan-deliveries';
import { runBulkJob } from '@/lib/review/bulk/run-bulk-job';
import { executeReissue } from '@/lib/review/execute-reissue';
import { applyReport } from '@/lib/review/incidents/apply-report';

export interface WorkerNeeds {
  pool: Pool;
  asking: Asking;
  log: Logger;
  /** How people are told outside the desk; without it they find everything in their inbox. */
  ways?: Ways;
}

/** Seconds between sweeps: what only time shows is found within this. */
export const SWEEP_SECONDS = 15;
/** Rows per transaction: far below its 8 s, and other writers wait for none of them. */
const SWEEP_ROWS = 200;
/** Transactions per sweep; what is left waits for the next one. */
const SWEEP_ROUNDS = 50;

type Counts = Record<string, number>;

/** What asks outside systems, and may have to wait for them. */
export function askingTasks({ pool, asking, log, ways }: WorkerNeeds): TaskList {
  return {
    lookup: async (payload, { job }) => {
      const result = await lookUpAutomatically(pool, asking, payload, String(job.id));
      if (result.done === 'ASKED') {
        const { lookupId, next } = result;
        log.info({ event: 'looked_up', lookupId, next: next.again ? next.at : next.because });
      }
    },
    'execute-reissue': async (payload, { job }) => {
      const result = await executeReissue(pool, asking, payload, String(job.id));
      log.info({ event: 'reissue', ...result });
    },
    'bulk-job': async (payload, { job }) => {
      const run = await runBulkJob(pool, asking, payload, String(job.id));
      log.info({ event: 'bulk_job', ...run });
    },
    'send-message': async (payload, { job }) => {
      if (ways === undefined) return;
      const state = await deliverMessage(
        pool,
        systemContext('system:worker', `job:${job.id}`),
        ways,
        payload,
      );
      if (state === 'DEAD') log.warn({ event: 'message_given_up', message: payload });
    },
  };
}

/** What needs the database alone; the job library gives each task the payload it was enqueued with. */
export function ownTasks({ pool, log, ways }: WorkerNeeds): TaskList {
  return {
    sweep: async (_payload, { job }) => {
      try {
        const found = await sweep(pool, `job:${job.id}`, ways);
        if (Object.keys(found).length > 0) log.info({ event: 'swept', found });
      } catch (error) {
        log.error({ event: 'sweep_failed', error: nameOf(error) });
      } finally {
        await planSweep(pool, SWEEP_SECONDS);
      }
    },
    'apply-report': async (payload, { job }) => {
      const run = await applyReport(pool, payload, String(job.id));
      log.info({ event: 'report_applied', ...run });
    },
    // The desk shows it to managers by itself; this line is for who watches the logs.
    'tell-managers': (payload) => log.warn({ event: 'break_glass_used', told: payload }),
  };
}

/** Sweeps the ledger until nothing is due, then the desk's own deadlines. Answers how many of each kind were found. */
async function sweep(pool: Pool, requestId: string, ways: Ways | undefined): Promise<Counts> {
  const context = systemContext('system:sweep', requestId);
  const total: Counts = {};
  const run = (statement: string, values: unknown[]) =>
    transaction(
      pool,
      context,
      async (tx) => (await tx.query<{ counts: Counts | null }>(statement, values)).rows[0]?.counts ?? {},
    );
  for (let round = 0; round < SWEEP_ROUNDS; round += 1) {
    const counts = await run('SELECT ledger.sweep($1) AS counts', [SWEEP_ROWS]);
    add(total, counts);
    if (Object.keys(counts).length === 0) break;
  }
  add(total, await run('SELECT review.sweep() AS counts', []));
  add(total, await run(`SELECT jsonb_build_object('bulkJobsWoken', review.wake_bulk_jobs()) AS counts`, []));
  add(
    total,
    await run(`SELECT jsonb_build_object('assigned', review.apply_assignment_rules()) AS counts`, []),
  );
  add(total, await run(`SELECT jsonb_build_object('reminders', review.remind_overdue()) AS counts`, []));
  if (ways !== undefined) add(total, { messages: await planDeliveries(pool, context, waysOf(ways)) });
  return total;
}

const systemContext = (id: `system:${string}`, requestId: string): TransactionContext => ({
  actor: { kind: 'system', id },
  requestId,
  sourceAddress: null,
});

function add(total: Counts, counts: Counts): void {
  for (const [kind, count] of Object.entries(counts)) {
    if (count > 0) total[kind] = (total[kind] ?? 0) + count;
  }
}

/** One waiting sweep for all workers: a later plan replaces an earlier one. */
export async function planSweep(pool: Pool, seconds: number): Promise<void> {
  await pool.query(
    `SELECT review.enqueue('sweep', '{}', 'sweep', clock_timestamp() + make_interval(secs => $1))`,
    [seconds],
  );
}

/** A class or code, never a message: messages may hold values. */
export function nameOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : error instanceof Error ? error.name : 'error';
}
