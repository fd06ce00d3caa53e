import type { Pool } from './pool';

export interface Readiness {
  status: 'ready' | 'not-ready';
  database: boolean;
  /** Every migration that this build knows is applied, and none has failed. */
  migrations: boolean;
  /** A worker showed a sign of life within `WORKER_SECONDS`. */
  worker: boolean;
}

/** Seconds; three missed heartbeats of 10 s, so that one slow job is no alarm. */
const WORKER_SECONDS = 30;

/**
 * What a monitor asks before it sends traffic. Never throws: an unreachable database is an answer.
 * @param latestMigration the newest migration folder of this build; undefined (development) only asks that none has failed
 */
export async function readiness(pool: Pool, latestMigration: string | undefined): Promise<Readiness> {
  try {
    const { rows } = await pool.query<{ migrations: boolean; worker: boolean }>(
      `select review.migrations_are_current($1) as migrations,
              exists (select from review.worker_heartbeats
                       where seen_at > ledger.clock() - make_interval(secs => $2)) as worker`,
      [latestMigration ?? null, WORKER_SECONDS],
    );
    const { migrations = false, worker = false } = rows[0] ?? {};
    return { status: migrations && worker ? 'ready' : 'not-ready', database: true, migrations, worker };
  } catch {
    return { status: 'not-ready', database: false, migrations: false, worker: false };
  }
}
