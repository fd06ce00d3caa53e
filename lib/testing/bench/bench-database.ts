// A PostgreSQL of its own with the product's defaults, durable writes included: a measurement on a shared one means nothing.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { holdCluster } from '@/lib/commands/embedded-database.mjs';
import { makePool } from '@/lib/db/pool';
import type { TestServer } from '../cluster';
import { prepareTemplate } from '../template';
import { roleUrl, type TestRole } from '../urls';

export interface BenchDatabase {
  url: (role: TestRole) => string;
  pool: (role: TestRole, max: number) => pg.Pool;
  close: () => Promise<void>;
}

export async function benchDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-bench-'));
  chmodSync(folder, 0o755); // PostgreSQL's user must enter it
  const secret = () => randomBytes(16).toString('hex');
  const password = secret();
  const held = await holdCluster({
    folder: path.join(folder, 'postgres'),
    password,
    settings: {},
    disposable: true,
  });
  const server: TestServer = {
    adminUrl: `postgresql://postgres:${password}@127.0.0.1:${held.port}/postgres`,
    passwords: {
      onceover_owner: secret(),
      onceover_app: secret(),
      onceover_worker: secret(),
      onceover_signer: secret(),
    },
    key: 'bench',
    release: held.release,
  };
  const database = await prepareTemplate(server);
  const url = (role: TestRole) => roleUrl(server, role, database);
  const pools: pg.Pool[] = [];
  return {
    url,
    pool: (role, max) => {
      const pool = makePool({ connectionString: url(role), name: 'bench', max });
      pools.push(pool);
      return pool;
    },
    close: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
      await held.release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
