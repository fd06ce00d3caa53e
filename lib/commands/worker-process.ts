// The worker as a part of a process: jobs, heartbeat and upkeep, started and stopped together.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Logger as JobLogger, run, type Runner, type TaskList } from 'graphile-worker';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import { askingTasks, nameOf, ownTasks, planSweep, type WorkerNeeds } from './worker-tasks';
import { beat, endBeat, ensureSweep, freeDeadJobs } from './worker-upkeep';

/**
 * Jobs at once, in two queues: what waits for outside systems never keeps the others from running. A lookup holds
 * no connection while it asks, and no system gets more than a few places.
 */
const CONCURRENCY = { asking: 32, own: 4 };
/** Milliseconds of each place, which all poll: new jobs are announced, only planned ones wait for it. */
const POLL_MS = { asking: 2_000, own: 500 };
/** Milliseconds; /api/ready takes 30 s of silence for the end. */
const BEAT_MS = 5_000;

export interface RunningWorker {
  workerId: string;
  /** Ends when the job library gave up by itself. */
  ended: Promise<void>;
  /** Finishes the jobs at work, takes no new ones. */
  stop: () => Promise<void>;
}

/** Starts a worker on the role onceover_worker. Any number may run at once. The pool stays the caller's. */
export async function startWorker(needs: WorkerNeeds, more: TaskList = {}): Promise<RunningWorker> {
  const { pool, log } = needs;
  const workerId = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  // A client that breaks between two queries would end the process; the library asks for this, too.
  const onConnect = (client: PoolClient) => void client.on('error', () => undefined);
  pool.on('connect', onConnect);
  await beat(pool, workerId);
  await planSweep(pool, 0);
  const queue = (name: keyof typeof CONCURRENCY, taskList: TaskList): Promise<Runner> =>
    run({
      ...{ pgPool: pool, taskList, concurrency: CONCURRENCY[name], pollInterval: POLL_MS[name] },
      noHandleSignals: true,
      logger: jobLogger(log),
    });
  const runners = [
    await queue('asking', askingTasks(needs)),
    await queue('own', { ...ownTasks(needs), ...more }),
  ];
  const upkeep = async () => {
    try {
      await beat(pool, workerId);
      const freed = await freeDeadJobs(pool);
      if (freed > 0) log.warn({ event: 'freed_jobs_of_dead_workers', workers: freed });
      if (await ensureSweep(pool)) log.warn({ event: 'sweep_started_again' });
    } catch (error) {
      log.error({ event: 'upkeep_failed', error: nameOf(error) });
    }
  };
  let busy: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    busy = busy.then(upkeep);
  }, BEAT_MS);
  return {
    workerId,
    ended: Promise.race(runners.map((runner) => runner.promise)),
    stop: async () => {
      clearInterval(timer);
      await busy;
      await Promise.all(runners.map((runner) => runner.stop()));
      pool.off('connect', onConnect);
      await endBeat(pool, workerId).catch((error: unknown) =>
        log.warn({ event: 'heartbeat_not_ended', error: nameOf(error) }),
      );
    },
  };
}

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/** The library's lines at one level lower: it tells of every job. Its messages hold job ids and names, no payloads. */
function jobLogger(log: Logger): JobLogger {
  return new JobLogger(() => (level, message) => log[LEVELS[level]]({ event: 'jobs', message }));
}
