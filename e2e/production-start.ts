// `npm start` as a real process, under a user of the machine that may write nothing of the checkout.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { runningDatabase } from '@/lib/commands/embedded-database.mjs';
import { poll } from './poll';
import { environmentOf, type Place } from './product';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Debian's nobody. */
export const NOBODY = 65_534;

export const randomSecret = () => randomBytes(32).toString('base64');

export interface ProductionStart {
  child: ChildProcess;
  said: () => string;
  /** Until it says where it serves. */
  ready: () => Promise<void>;
  ended: () => Promise<number | null>;
}

export function databaseUrl({ dataDir }: Place, role: string): string {
  const running = runningDatabase(dataDir);
  if (running === null) throw new Error(`no database runs in ${dataDir}`);
  return running.url(role);
}

/** All that a production start needs, on the database of a running product. */
export const productionSettings = (product: Place, port: number) => ({
  DATABASE_URL: databaseUrl(product, 'onceover_app'),
  DATABASE_WORKER_URL: databaseUrl(product, 'onceover_worker'),
  NEXTAUTH_URL: `http://127.0.0.1:${port}`,
  NEXTAUTH_SECRET: randomSecret(),
  FIELD_HASH_KEY: randomSecret(),
  PORT: String(port),
});

export function startProductionAs(
  user: number,
  product: Place,
  settings: Record<string, string>,
): ProductionStart {
  const as = ['--reuid', String(user), '--regid', String(user), '--clear-groups', '--pdeathsig', 'KILL'];
  const child = spawn('setpriv', [...as, process.execPath, 'lib/commands/start.mjs'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environmentOf(product), NODE_ENV: 'production', HOME: '/nonexistent', ...settings },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exit = once(child, 'close') as Promise<[number | null]>;
  return {
    child,
    said: () => said,
    ready: async () => {
      await poll('the production start to serve', () => {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${said}`);
        return /Onceover serves/.test(said);
      });
    },
    ended: async () => (await exit)[0],
  };
}
