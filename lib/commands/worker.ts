// The worker: sweeps, lookups and what else waits in the job queue. DATABASE_URL is the role onceover_worker's.
import pino from 'pino';
import { endPools, pool } from '@/lib/db/pool';
import { asking } from '@/lib/lookup/ask-connector';
import { deliveryWays } from './delivery-ways';
import { startWorker } from './worker-process';

const log = pino({ name: 'worker', level: process.env['LOG_LEVEL'] ?? 'info', base: null });

const stopping = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
  // The parent is gone, kill -9 included: so are we.
  if (process.channel) process.once('disconnect', () => resolve());
});

const worker = await startWorker({
  pool: pool('worker'),
  asking: asking(process.env, (event) => log.warn({ event: 'outside_system_silent', ...event })),
  log,
  ways: deliveryWays(process.env),
});
log.info({ event: 'worker_started', workerId: worker.workerId });
process.send?.({ ready: true });

await Promise.race([stopping, worker.ended]);
await worker.stop();
await endPools();
log.info({ event: 'worker_stopped', workerId: worker.workerId });
process.exit(0);
