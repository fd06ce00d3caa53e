import pg from 'pg';

/** Who waits for whom: a flood of producers must never take the connections that people need, or the reverse. */
export type PoolName = 'pages' | 'producers' | 'worker';

export type Pool = pg.Pool;

/** What a query can be sent to: a pool (one statement, any connection) or an open transaction. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

// 10 + 20 + 8 connections per process stay well under PostgreSQL's default of 100 with two app processes and a worker, whose
// two queues hold one each to listen.
const MAX_CONNECTIONS: Record<PoolName, number> = { pages: 10, producers: 20, worker: 8 };
/** Milliseconds to wait for a free connection; below the request's 10 s, so that a full pool answers 503 in time. */
const CONNECTION_TIMEOUT_MS = 2_000;
/** The same of the worker: nobody waits for it, and its job library ends the process when it gets none. */
export const WORKER_PATIENCE_MS = 20_000;
/** Milliseconds; idle connections go before a firewall forgets them. */
const IDLE_TIMEOUT_MS = 30_000;

export interface PoolSettings {
  connectionString: string;
  name: string;
  max: number;
  /** Milliseconds to wait for a free connection; without it as long as a request can. */
  patienceMs?: number;
}

/** A pool with every limit set. Callers own it and end it; the process-wide ones come from `pool()`. */
export function makePool(settings: PoolSettings): Pool {
  const made = new pg.Pool({
    connectionString: settings.connectionString,
    application_name: `onceover ${settings.name}`,
    max: settings.max,
    connectionTimeoutMillis: settings.patienceMs ?? CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
  });
  // Without a listener an idle connection that breaks (database restart) ends the whole process.
  made.on('error', () => undefined);
  return made;
}

// Pages, actions and route handlers are separate bundles of one process: only globalThis is shared between them.
const holder = globalThis as { onceoverPools?: Map<PoolName, Pool> };

/** The process-wide pool of that name, opened at first use with the role of `DATABASE_URL`. */
export function pool(name: PoolName): Pool {
  const pools = (holder.onceoverPools ??= new Map());
  const present = pools.get(name);
  if (present) return present;
  const connectionString = process.env['DATABASE_URL'];
  if (!connectionString)
    throw new Error('DATABASE_URL is not set: the address of the database, with the role of this process');
  const patienceMs = name === 'worker' ? WORKER_PATIENCE_MS : undefined;
  const made = makePool({ connectionString, name, max: MAX_CONNECTIONS[name], patienceMs });
  pools.set(name, made);
  return made;
}

/** Ends every pool of this process; later calls of `pool()` open new ones. */
export async function endPools(): Promise<void> {
  const pools = [...(holder.onceoverPools?.values() ?? [])];
  holder.onceoverPools?.clear();
  await Promise.all(pools.map((each) => each.end()));
}
