import { makePool, type Pool } from '@/lib/db/pool';
import type { TransactionContext } from '@/lib/db/transaction';
import { NOT_INSTALLED, NotInstalled, holdInstalled } from './installed-database.mjs';

/** What an installation program does is recorded under this name. */
export function installerContext(command: string): TransactionContext {
  return {
    actor: { kind: 'system', id: `system:${command}` },
    requestId: `${command} ${new Date().toISOString()}`,
    sourceAddress: null,
  };
}

/** Says why a program ends, with the exit code that goes with it. */
export function tellFailure(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof NotInstalled ? NOT_INSTALLED : 1;
}

/**
 * Runs `work` as the database's owner: of DATABASE_OWNER_URL, else of the embedded database, which runs meanwhile.
 * For programs that a person starts by hand and that make what no served process may make.
 */
export async function withOwnerPool<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
  const given = process.env.DATABASE_OWNER_URL;
  if (!given && process.env.DATABASE_URL) {
    throw new Error(
      'DATABASE_URL is set, so this needs DATABASE_OWNER_URL: the same database as the role onceover_owner.',
    );
  }
  const held = given ? null : await holdInstalled('onceover_owner', 'DATABASE_OWNER_URL');
  const pool = makePool({
    connectionString: given ?? held?.url('onceover_owner') ?? '',
    name: 'owner',
    max: 2,
  });
  try {
    return await work(pool);
  } finally {
    await pool.end();
    await held?.release();
  }
}
