// A producer API under chaos: the handlers that `npm run api` serves, with failpoints around requests and statements.
import pino from 'pino';
import { makePool } from '@/lib/db/pool';
import { listen } from '@/lib/ledger/http/listen';
import { createProducerApi } from '@/lib/ledger/http/producer-api';
import type { Instruction } from './orders';
import { Points, watchStatements } from './points';

const points = new Points();
watchStatements(points);
process.on('message', (instruction: Instruction) => points.arm(instruction.arms ?? []));
process.once('disconnect', () => process.exit(0));

const pool = makePool({ connectionString: process.env['DATABASE_URL'] ?? '', name: 'producers', max: 10 });
const api = createProducerApi({
  pool: () => pool,
  fieldHashKey: () => Buffer.alloc(32, 7),
  log: pino({ level: 'silent' }),
  claimLimit: { perSecond: 10_000, burst: 10_000 },
});
await listen(
  {
    fetch: async (request) => {
      await points.pass('request.received');
      const response = await api.fetch(request);
      await points.pass('request.done');
      return response;
    },
  },
  { host: '127.0.0.1', port: Number(process.env['CHAOS_PORT']) },
);
process.send?.({ ready: true });
