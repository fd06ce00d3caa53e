// `npm run api`: the producer API alone, as a small process on API_PORT. Same handlers, same database as the server's.
import { endPools } from '@/lib/db/pool';
import { listen, type Listening } from '@/lib/ledger/http/listen';
import { producerApi } from '@/lib/ledger/http/serve-producer-api';
import { takesNoArguments } from './command-line.mjs';
import { dataDir, keptSecret } from './data-dir.mjs';
import { holdInstalled } from './installed-database.mjs';
import { tellFailure } from './owner-pool';
import { inspectRole } from './production-checks.mjs';

/** Beside the server's 3000 and the ports that `up` tries next. */
const DEFAULT_PORT = 3100;

const USAGE = `usage: npm run api
  Serves the producer API alone, from DATABASE_URL or from the embedded database.
  API_PORT (${DEFAULT_PORT})  where it listens, 0 for any free port    HOST (127.0.0.1)
  FIELD_HASH_KEY    the installation's; needed with DATABASE_URL
  PRODUCER_RATE     claims per second and burst of each principal, 200:1000`;

function readPort(): number {
  const text = process.env['API_PORT'] || String(DEFAULT_PORT);
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error(`API_PORT is no port: ${text}`);
  return port;
}

/** Without DATABASE_URL the embedded database is used and held while we run; its keys lie in DATA_DIR. */
async function holdEmbeddedDatabase(): Promise<{ release(): Promise<void> }> {
  const held = await holdInstalled('onceover_app');
  process.env['DATABASE_URL'] = held.url('onceover_app');
  process.env['FIELD_HASH_KEY'] ||= keptSecret(dataDir(), 'field-hash-key');
  return held;
}

async function listenOnce(host: string, port: number): Promise<Listening> {
  try {
    return await listen(producerApi(), { host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new Error(`Port ${port} is taken by another program: set API_PORT.`);
    throw new Error(`The API cannot listen on ${host}:${port}: ${message}`);
  }
}

/** Serves until it is told to stop. "Ready" is said only when the database lets us in. */
async function serve(): Promise<void> {
  if (!process.env['FIELD_HASH_KEY'])
    throw new Error('FIELD_HASH_KEY is not set: the secret key of field hashes and cursors');
  const { complaints } = await inspectRole('DATABASE_URL', process.env['DATABASE_URL'] ?? '');
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  const host = process.env['HOST'] || '127.0.0.1';
  const server = await listenOnce(host, readPort());
  console.log(`producer API on http://${host}:${server.port}/api/v1`);
  await new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
  await server.close();
}

takesNoArguments(USAGE);
let held: { release(): Promise<void> } | null = null;
try {
  held = process.env['DATABASE_URL'] ? null : await holdEmbeddedDatabase();
  await serve();
} catch (error) {
  tellFailure(error);
} finally {
  // Also when it does not start: a database that is still held would keep the process alive.
  await endPools();
  await held?.release();
}
