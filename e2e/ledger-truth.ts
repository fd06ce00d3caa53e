import pg from 'pg';
import { runningDatabase } from '@/lib/commands/embedded-database.mjs';
import { type Place } from './product';

/** The database as its superuser reads it: the last word on what was decided, and the hand that tampers. */
export class LedgerTruth {
  private constructor(
    private readonly url: string,
    private readonly pool: pg.Pool,
  ) {}

  static open({ dataDir }: Place): LedgerTruth {
    const running = runningDatabase(dataDir);
    if (running === null) throw new Error(`no database runs in ${dataDir}`);
    const url = running.url('postgres');
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    // A product that is killed takes its database along; the next statement says so.
    pool.on('error', () => undefined);
    return new LedgerTruth(url, pool);
  }

  async rows<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, values)).rows;
  }

  async one<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row> {
    const [row, ...more] = await this.rows<Row>(sql, values);
    if (row === undefined || more.length > 0)
      throw new Error(`expected one row, got ${more.length + (row ? 1 : 0)}`);
    return row;
  }

  /** Holds the rows that a statement locks, until the answered function is called or the database goes down. */
  async lock(sql: string, values: unknown[]): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN');
    await client.query(sql, values);
    return () => client.end().catch(() => undefined);
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
