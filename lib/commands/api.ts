// `npm run api`: the producer API alone, as a small process on API_PORT. Same handlers, same database as the server's.
import { endPools } from '@/lib/db/pool';
import { listen } from '@/lib/ledger/http/listen';
import { producerApi } from '@/lib/ledger/http/serve-producer-api';
import { dataDir, keptSecret } from './data-dir.mjs';
import { holdDatabase } from './embedded-database.mjs';

/** Beside the server's 3000. */
const DEFAULT_PORT = 3100;

function readPort(): number {
  const text = process.env['API_PORT'] || String(DEFAULT_PORT);
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error(`API_PORT is no port: ${text}`);
  return port;
}

/** Without DATABASE_URL the embedded database is used and held while we run; its keys lie in DATA_DIR. */
async function holdEmbeddedDatabase(): Promise<{ release(): Promise<void> }> {
  const held = await holdDatabase();
  process.env['DATABASE_URL'] = held.url('onceover_app');
  process.env['FIELD_HASH_KEY'] ||= keptSecret(dataDir(), 'field-hash-key');
  return held;
}

async function run(): Promise<void> {
  const held = process.env['DATABASE_URL'] ? null : await holdEmbeddedDatabase();
  if (!process.env['FIELD_HASH_KEY'])
    throw new Error('FIELD_HASH_KEY is not set: the secret key of field hashes and cursors');
  const host = process.env['HOST'] || '127.0.0.1';
  const server = await listen(producerApi(), { host, port: readPort() });
  console.log(`producer API on http://${host}:${server.port}/api/v1`);

  const ended = new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
  await ended;
  await server.close();
  await endPools();
  await held?.release();
}

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
