import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

/** Every way to take an advisory lock that this server knows. */
const WAYS = `select oid::regprocedure::text as way from pg_proc
  where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^pg_(try_)?advisory_' order by 1`;

describe('a program that writes SQL', () => {
  it('R-098g takes no lock by whose name others would wait: sign-in, decisions, claims of other tenants', async () => {
    const { rows: ways } = await db.pool('superuser').query<{ way: string }>(WAYS);
    expect(ways.length).toBeGreaterThan(15);
    const { url } = await db.producer();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const { way } of ways) {
        const call = way.replace(/\((.*)\)/, (_, types: string) =>
          types === ''
            ? '()'
            : `(${types
                .split(',')
                .map((type) => `1::${type}`)
                .join(', ')})`,
        );
        await expect(client.query(`select ${call}`), way).rejects.toMatchObject({ code: '42501' });
      }
    } finally {
      await client.end();
    }
  });
});
