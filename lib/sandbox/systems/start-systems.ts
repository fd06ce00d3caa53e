import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SandboxLog } from '../sandbox-log';
import {
  choosePort,
  isFree,
  SYSTEM_NAMES,
  writeSettings,
  type SandboxSettings,
  type SystemName,
} from '../settings';
import { createCrm } from './crm';
import { type ExternalSystem, type SystemContext } from './external-system';
import { FaultBoard, type FaultRule } from './fault-board';
import { createMail } from './mail';
import { createPayments } from './payment';
import { createSystemServer } from './serve-system';
import { SystemRuntime } from './system-runtime';

const MAKERS: Record<SystemName, (context: SystemContext) => ExternalSystem> = {
  crm: createCrm,
  mail: createMail,
  payment: createPayments,
};

export interface SystemsOptions {
  dataDir: string;
  settings: SandboxSettings;
  log: SandboxLog;
  clock?: () => Date;
  random?: () => number;
  /** Faults that are on from the start, for example by rate. */
  faults?: Partial<Record<SystemName, readonly FaultRule[]>>;
  /** How long a port may still belong to a process that is ending, in seconds. Default 8. */
  portPatienceSeconds?: number;
}

export interface RunningSystems {
  /** The ports in use; other than asked for when one belonged to somebody else. */
  settings: SandboxSettings;
  close(): Promise<void>;
}

/** Starts the three external systems on loopback. Their state lies in `DATA_DIR/sandbox/<system>.jsonl`. */
export async function startSystems(options: SystemsOptions): Promise<RunningSystems> {
  let settings = options.settings;
  const running: { close: () => Promise<void> }[] = [];
  for (const name of SYSTEM_NAMES) {
    const started = await startSystem(name, settings, options);
    running.push(started);
    if (started.port !== settings[name].port) {
      settings = { ...settings, [name]: { ...settings[name], port: started.port } };
      writeSettings(options.dataDir, settings);
    }
  }
  return { settings, close: async () => void (await Promise.all(running.map((system) => system.close()))) };
}

async function startSystem(name: SystemName, settings: SandboxSettings, options: SystemsOptions) {
  const port = await settlePort(name, settings, options);
  const runtime = new SystemRuntime({
    create: MAKERS[name],
    dataDir: options.dataDir,
    address: `http://127.0.0.1:${port}`,
    log: options.log,
    clock: options.clock ?? (() => new Date()),
  });
  const faults = new FaultBoard(options.random ?? Math.random);
  for (const rule of options.faults?.[name] ?? []) faults.add(rule);
  const stopping = new AbortController();
  const { secret } = settings[name];
  const server = createSystemServer({ runtime, faults, secret, stopping: stopping.signal });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // Requests under way arrive on time also when nobody calls; one look per second is enough.
  const timer = setInterval(() => runtime.settleArrivals(), 1000);
  return {
    port,
    close: async () => {
      clearInterval(timer);
      stopping.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      runtime.close();
    },
  };
}

/** The kept port, or another one when it stays taken. A predecessor that is ending may hold it for some seconds. */
async function settlePort(
  name: SystemName,
  settings: SandboxSettings,
  options: SystemsOptions,
): Promise<number> {
  const wanted = settings[name].port;
  const patience = (options.portPatienceSeconds ?? 8) * 1000;
  for (let waited = 0; waited <= patience; waited += 250) {
    if (await isFree(wanted)) return wanted;
    await sleep(250);
  }
  const taken = new Set(SYSTEM_NAMES.map((other) => settings[other].port));
  const port = await choosePort(options.dataDir, taken);
  console.warn(`sandbox: port ${wanted} of the ${name} system is taken, using ${port}`);
  return port;
}
