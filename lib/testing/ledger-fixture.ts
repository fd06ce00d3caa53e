// The smallest world in which the ledger works: two tenants, three principals, and short forms of its SQL verbs.
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { TestDatabase } from './database';

export type Json = Record<string, unknown>;

/** What a verb answers; see lib/ledger/README.md. */
interface VerbAnswer {
  disposition?: string;
  code: string | null;
  detail?: string;
  execution?: Json & { executionId: string; state: string; fencingToken: string; attempt: number };
  [member: string]: unknown;
}

export const NORTH = 'north';
export const OTHER_NORTH = 'north-other';
export const SOUTH = 'south';
export const OPERATION = 'create-payment';

/** Columns of a policy whose protection has been checked and is valid, without which it counts for nothing (R-016). */
export const PROVEN_PROTECTION = {
  protection_document: 'https://provider.example/docs/request-keys',
  protection_key_scope: 'one account, all endpoints',
  protection_checked_by: 'a person of the test',
  protection_checked_at: '2026-01-01T00:00:00Z',
  protection_valid_until: '2099-01-01T00:00:00Z',
};

/** A well-formed fingerprint of any text. */
export const fingerprint = (content: string): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

export interface LedgerFixture {
  claim: (key: string, more?: Json, principal?: string) => Promise<VerbAnswer>;
  register: (key: string, more?: Json) => Promise<VerbAnswer>;
  report: (verb: Verb, executionId: string, report: Json, principal?: string) => Promise<VerbAnswer>;
  /** Claims a fresh key, starts the effect, and hands over what an executor would know. */
  started: (key?: string, more?: Json) => Promise<{ id: string; token: string; key: string }>;
  row: (executionId: string) => Promise<Json>;
  dispositions: (key: string) => Promise<string[]>;
  exceptions: (
    executionId: string,
  ) => Promise<{ kind: string; state: string; reason_code: string; closing_code: string | null }[]>;
  policy: (operation: string, columns: Json) => Promise<void>;
  /** One sweep as the worker, in the worker's context; answers its counts. */
  sweep: () => Promise<Json>;
}

type Verb = 'effect_started' | 'heartbeat' | 'complete' | 'fail' | 'report_unknown' | 'cancel';

const CONTEXT = `SELECT set_config('onceover.actor_kind', 'system', true), set_config('onceover.actor_id', $1, true), set_config('onceover.request_id', $2, true)`;

/** Runs statements in one transaction under a context. */
export async function asActor<T>(
  pool: pg.Pool,
  actor: { kind: 'person' | 'system'; id: string },
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(CONTEXT.replace(`'system', true`, `'${actor.kind}', true`), [
      actor.id,
      `test-${randomUUID()}`,
    ]);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** The login of a program in plain SQL that writes for a principal; the caller ends the pool. */
export async function sqlProducer(db: TestDatabase, principal = NORTH): Promise<pg.Pool> {
  const { role, url } = await db.producer();
  await db
    .pool('owner')
    .query('UPDATE ledger.principals SET login_role = $1 WHERE principal_id = $2', [role, principal]);
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined); // its connections may still be closing when the database is dropped
  return pool;
}

export async function ledgerFixture(db: TestDatabase): Promise<LedgerFixture> {
  const owner = db.pool('owner');
  const app = db.pool('app');
  await asActor(owner, { kind: 'system', id: 'system:test' }, async (client) => {
    await client.query(
      `INSERT INTO review.tenants (tenant_id, display_name) VALUES ('tenant-north', 'North'), ('tenant-south', 'South') ON CONFLICT DO NOTHING`,
    );
    await client.query(
      `INSERT INTO ledger.principals (principal_id, tenant_id, display_name)
       VALUES ($1, 'tenant-north', 'North'), ($2, 'tenant-north', 'Other north'), ($3, 'tenant-south', 'South')`,
      [NORTH, OTHER_NORTH, SOUTH],
    );
  });

  const verb = async (name: string, values: unknown[]): Promise<VerbAnswer> => {
    const places = values.map((_, index) => `$${index + 1}`).join(', ');
    const { rows } = await app.query<{ answer: VerbAnswer }>(
      `SELECT ledger.${name}(${places}) AS answer`,
      values,
    );
    return rows[0]!.answer;
  };
  const claim: LedgerFixture['claim'] = (key, more = {}, principal = NORTH) =>
    verb('claim_as', [
      principal,
      { operation: OPERATION, key, fingerprint: fingerprint('content'), ...more },
    ]);
  const report: LedgerFixture['report'] = (name, executionId, body, principal = NORTH) =>
    verb(`${name}_as`, [principal, executionId, body]);

  return {
    claim,
    report,
    register: (key, more = {}) =>
      verb('register_as', [
        NORTH,
        { operation: OPERATION, key, fingerprint: fingerprint('content'), ...more },
      ]),
    started: async (key = randomUUID(), more = {}) => {
      const answer = await claim(key, more);
      const { executionId: id, fencingToken: token } = answer.execution!;
      await report('effect_started', id, { fencingToken: token });
      return { id, token, key };
    },
    row: async (executionId) => {
      const { rows } = await owner.query<Json>('SELECT * FROM ledger.executions WHERE execution_id = $1', [
        executionId,
      ]);
      return rows[0]!;
    },
    dispositions: async (key) => {
      const { rows } = await owner.query<{ disposition: string }>(
        'SELECT disposition FROM ledger.intakes WHERE idempotency_key = $1 ORDER BY received_at, intake_id',
        [key],
      );
      return rows.map((each) => each.disposition);
    },
    exceptions: async (executionId) => {
      const { rows } = await owner.query<{
        kind: string;
        state: string;
        reason_code: string;
        closing_code: string | null;
      }>(
        'SELECT kind, state, reason_code, closing_code FROM review.exceptions WHERE execution_id = $1 ORDER BY opened_at, exception_id',
        [executionId],
      );
      return rows;
    },
    policy: async (operation, columns) => {
      const names = Object.keys(columns);
      await owner.query(
        `INSERT INTO ledger.operation_policies (tenant_id, operation, version, created_by${names.map((name) => `, ${name}`).join('')})
         VALUES ('tenant-north', $1, 1, 'system:test'${names.map((_, index) => `, $${index + 2}`).join('')})`,
        [operation, ...Object.values(columns)],
      );
    },
    sweep: () =>
      asActor(db.pool('worker'), { kind: 'system', id: 'system:worker' }, async (client) => {
        const { rows } = await client.query<{ counts: Json }>('SELECT ledger.sweep() AS counts');
        return rows[0]!.counts;
      }),
  };
}
