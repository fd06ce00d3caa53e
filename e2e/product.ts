import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { poll } from './poll';

const ROOT = path.resolve(import.meta.dirname, '..');
/** A child that is preloaded with it ends when its parent is gone, kill -9 included. */
const DIE_WITH_PARENT = pathToFileURL(path.join(ROOT, 'lib/commands/die-with-parent.mjs')).href;
/** Milliseconds: installing is done before, but a changed tree is built anew. */
const START_MS = 240_000;

/** The same for every account of a run. */
export const DEMO_PASSWORD = 'once-over-and-never-twice';

/** Where a running product is. */
export interface Place {
  address: string;
  dataDir: string;
}

export interface Product extends Place {
  /** When the program was started and when it printed its address; milliseconds since 1970. */
  startedAt: number;
  readyAt: number;
  stop(): Promise<void>;
  /** Kills the process that serves pages and the API with SIGKILL, and waits until all of `up` has ended. */
  killServer(): Promise<void>;
}

export interface ProductOptions {
  dataDir: string;
  /** Of an earlier start on the same folder; chosen by the product when absent. */
  port?: number;
  /** False: the external systems alone, no traffic that nobody asked for. */
  automations?: boolean;
  /** Settings of the installation besides. */
  settings?: Record<string, string>;
}

/** `npm run up` as a child: the real product with a data folder and a port of its own. */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const { dataDir, port, automations = true, settings = {} } = options;
  fs.mkdirSync(dataDir, { recursive: true });
  const logFile = path.join(dataDir, 'up.log');
  const log = fs.openSync(logFile, 'w');
  const startedAt = Date.now();
  const child = spawn(process.execPath, ['--import', DIE_WITH_PARENT, 'lib/commands/up.mjs'], {
    cwd: ROOT,
    stdio: ['ignore', log, log, 'ipc'],
    env: {
      ...environmentOf({ dataDir }),
      ...settings,
      DEMO_PASSWORD,
      PORT: port === undefined ? '' : String(port),
      SANDBOX_AUTOMATIONS: automations ? 'on' : 'off',
    },
  });
  fs.closeSync(log);
  const said = () => fs.readFileSync(logFile, 'utf8');
  const address = await poll(
    'the product to print its address',
    () => {
      if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode}:\n${said()}`);
      return /ready at (http:\/\/\S+) after/.exec(said())?.[1];
    },
    { within: START_MS },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    address,
    dataDir,
    startedAt,
    readyAt: Date.now(),
    stop: () => {
      child.kill('SIGTERM');
      return child.exitCode === null && child.signalCode === null ? ended : Promise.resolve();
    },
    killServer: () => {
      process.kill(serverOf(child), 'SIGKILL');
      return ended;
    },
  };
}

/** For the product's own programs: they read its configuration, not the one of whoever runs the tests. */
export function environmentOf({ dataDir }: Pick<Place, 'dataDir'>): NodeJS.ProcessEnv {
  const foreign =
    /^(DATABASE_|NEXTAUTH_|OIDC_|DEMO|SANDBOX_|SECRET_|NORTH_SQL_URL$|HOST$|PORT$|NODE_ENV$|NODE_OPTIONS$)/;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return Object.fromEntries([...kept, ['DATA_DIR', dataDir]]) as NodeJS.ProcessEnv;
}

/** The child of `up` that runs the built server; read from /proc, because nothing prints it. */
function serverOf(up: ChildProcess): number {
  const children = fs.readFileSync(`/proc/${up.pid}/task/${up.pid}/children`, 'utf8').trim().split(' ');
  const server = children.find((pid) => /next-server|standalone\/server\.js/.test(commandLine(pid)));
  if (server === undefined) throw new Error(`no server among the children of process ${up.pid}`);
  return Number(server);
}

function commandLine(pid: string): string {
  return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
}
