import pg from 'pg';
import { runningDatabase } from '@/lib/commands/embedded-database.mjs';
import { type Place } from './product';

/** The database as its superuser reads it: the last word on what was decided, and the hand that tampers. */
export class LedgerTruth {
  private constructor(private readonly pool: pg.Pool) {}

  static open({ dataDir }: Place): LedgerTruth {
    const running = runningDatabase(dataDir);
    if (running === null) throw new Error(`no database runs in ${dataDir}`);
    const pool = new pg.Pool({ connectionString: running.url('postgres'), max: 4 });
    // A product that is killed takes its database along; the next statement says so.
    pool.on('error', () => undefined);
    return new LedgerTruth(pool);
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

  /** A connection of its own, for locks. */
  connect(): Promise<pg.PoolClient> {
    return this.pool.connect();
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
