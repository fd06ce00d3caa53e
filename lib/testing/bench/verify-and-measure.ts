// Verifies the log of DATABASE_URL and says, as JSON, how far, how long it took and the greatest memory it had.
import { verifyChain } from '@/lib/audit/verify-chain';
import { makePool } from '@/lib/db/pool';

const pool = makePool({ connectionString: process.env['DATABASE_URL'] ?? '', name: 'bench', max: 1 });
const startedAt = performance.now();
const found = await verifyChain(pool);
const ms = performance.now() - startedAt;
await pool.end();
if (found.kind !== 'verified') throw new Error(`bug: the chain is ${found.kind}`);
const peakMiB = process.resourceUsage().maxRSS / 1_024;
console.log(JSON.stringify({ upTo: found.upTo.toString(), ms, peakMiB }));
