// The net under the grants: what a producer's login sees and writes when nothing tells whose it is.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { fingerprint, ledgerFixture, NORTH, type LedgerFixture } from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let ledger: LedgerFixture;
let northern: pg.Pool;
let unmapped: { role: string; url: string };
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
  const mapped = await db.producer();
  unmapped = await db.producer();
  await db
    .pool('owner')
    .query('UPDATE ledger.principals SET login_role = $1 WHERE principal_id = $2', [mapped.role, NORTH]);
  northern = new pg.Pool({ connectionString: mapped.url, max: 1 });
  for (const principal of [NORTH, 'south'] as const) await ledger.claim(`canary-${principal}`, {}, principal);
});
afterAll(async () => {
  await northern.end();
  await db.drop();
});

const count = async (client: pg.Pool | pg.Client, of: string) =>
  Number((await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${of}`)).rows[0]!.n);

async function withStranger<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: unmapped.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Every table and view of the product's schemas. */
async function relations(): Promise<string[]> {
  const { rows } = await db.pool('superuser').query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname IN ('ledger', 'review') AND c.relkind IN ('r', 'p', 'v', 'm') ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

describe('AZ-17 row-level security', () => {
  it('AZ-17 a login that belongs to nobody sees no row and writes none', async () => {
    await withStranger(async (client) => {
      expect(await count(client, 'ledger.executions')).toBe(0);
      await expect(
        client.query(
          `INSERT INTO ledger.executions (operation, idempotency_key, fingerprint) VALUES ('x', 'k', $1)`,
          [fingerprint('c')],
        ),
      ).rejects.toMatchObject({ code: 'OO002' });
      const { rowCount } = await client.query(
        `UPDATE ledger.executions SET state = 'SUCCEEDED', result_id = 'x'`,
      );
      expect(rowCount).toBe(0);
    });
  });

  it('AZ-17 the same on a connection that has just carried somebody’s context', async () => {
    await withStranger(async (client) => {
      await client.query('BEGIN');
      await client.query(
        `SELECT set_config('onceover.actor_kind', 'person', true), set_config('onceover.actor_id', $1, true)`,
        [randomUUID()],
      );
      expect(await count(client, 'ledger.executions')).toBe(0);
      await client.query('COMMIT');
      expect(await count(client, 'ledger.executions')).toBe(0);
      for (const value of ['', 'no uuid', "' OR true --"]) {
        await client.query(`SELECT set_config('onceover.actor_id', $1, false)`, [value]);
        expect(await count(client, 'ledger.executions')).toBe(0);
      }
    });
  });

  it('AZ-17 no setting of a session makes it another principal', async () => {
    const client = await northern.connect();
    for (const role of ['onceover_app', 'onceover_owner'])
      await expect(client.query(`SET ROLE ${role}`)).rejects.toMatchObject({ code: '42501' });
    await client.query(
      `SELECT set_config('row_security', 'on', false), set_config('ledger.principal', 'south', false)`,
    );
    const { rows } = await client.query('SELECT DISTINCT principal_id FROM ledger.executions');
    expect(rows).toEqual([{ principal_id: NORTH }]);
    await expect(client.query(`UPDATE ledger.executions SET principal_id = 'south'`)).rejects.toMatchObject({
      code: '42501',
    });
    client.release();
  });

  it('AZ-17 every other table and view is closed, or tells of nobody', async () => {
    const open: string[] = [];
    for (const name of await relations()) {
      const answer = await northern
        .query(`SELECT count(*)::int AS n FROM ${name} t WHERE t::text LIKE '%south%'`)
        .then(
          ({ rows }) => (rows as { n: number }[])[0]!.n,
          (error: { code: string }) => error.code,
        );
      if (answer !== '42501' && answer !== 0) open.push(`${name}: ${answer}`);
    }
    expect(open).toEqual([]);
  });

  it('AZ-17 none of the product’s logins passes it by', async () => {
    const { rows } = await db
      .pool('superuser')
      .query(`SELECT rolname FROM pg_roles WHERE rolname LIKE 'onceover%' AND (rolsuper OR rolbypassrls)`);
    expect(rows).toEqual([]);
  });
});
