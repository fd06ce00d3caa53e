// A worker under chaos: the product's own, told to sweep more often than every 15 s.
import pino from 'pino';
import { planSweep } from '@/lib/commands/worker-tasks';
import { startWorker } from '@/lib/commands/worker-process';
import { makePool, WORKER_PATIENCE_MS } from '@/lib/db/pool';
import { asking } from '@/lib/lookup/ask-connector';
import type { Instruction } from './orders';
import { Points, watchStatements } from './points';

const SWEEP_EVERY_MS = 500;

const points = new Points();
watchStatements(points);
process.on('message', (instruction: Instruction) => points.arm(instruction.arms ?? []));
process.once('disconnect', () => process.exit(0));

const pool = makePool({
  ...{ connectionString: process.env['DATABASE_URL'] ?? '', name: 'worker', max: 8 },
  patienceMs: WORKER_PATIENCE_MS,
});
const worker = await startWorker({
  pool,
  asking: asking(process.env, () => undefined),
  log: pino({ level: 'silent' }),
});
// The database may be away for a moment: the next plan comes in half a second.
setInterval(() => void planSweep(pool, 0).catch(() => undefined), SWEEP_EVERY_MS);
process.send?.({ ready: true });
await worker.ended;
process.exit(1);
