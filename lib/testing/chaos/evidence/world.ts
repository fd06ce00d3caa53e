// The world of the evidence suite: the systems of the sandbox spoiling a part of all calls, and the product's processes.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openSandboxLog } from '@/lib/sandbox/sandbox-log';
import type { SystemsAccess } from '@/lib/sandbox/automations/protocol';
import { ensureSettings, secretVariables } from '@/lib/sandbox/settings';
import type { FaultRule } from '@/lib/sandbox/systems/fault-board';
import { startSystems } from '@/lib/sandbox/systems/start-systems';
import { prepareTemplate } from '../../template';
import { roleUrl } from '../../urls';
import { accessTo, freePorts, makeRecords, startServer, type Terms } from '../ground';
import type { AutomationOrder } from '../orders';
import { Worker, type Post } from '../staff';
import type { Late } from './cases';

const SERVERS = 2;
const WORKERS = 3;
const AUTOMATIONS = 4;

export interface EvidenceWorld {
  readonly owner: pg.Pool;
  readonly folder: string;
  readonly systems: SystemsAccess;
  readonly workers: readonly Worker[];
  readonly automations: readonly Worker[];
  close(): Promise<void>;
}

/** What a deployment would write for such systems: how late they are, how long their transfers take, and what they bear. */
const termsFor = ({ late }: Late): Terms => ({
  policy: {
    leaseSeconds: 12,
    graceSeconds: late,
    longRunningSeconds: 60,
    claimWithinSeconds: 600,
    retryWithinSeconds: 600,
    retentionSeconds: 86_400,
    negativeProofHorizonSeconds: 2 * late,
    evidenceMaxAgeSeconds: 600,
  },
  connector: { visibilityDelaySeconds: late, ratePerSecond: 20, attempts: 12, backoffSeconds: 2 },
});

/** Of every question that a lookup asks: 30 in 100 are spoilt, 24 of them so that there is no answer. */
const LOOKUP_FAULTS: readonly (readonly [FaultRule['fault'], number])[] = [
  [{ kind: 'error-before', seconds: 0 }, 0.08],
  [{ kind: 'hang-before', seconds: 0 }, 0.06],
  [{ kind: 'drop-after-commit', seconds: 0 }, 0.1],
  [{ kind: 'delay', seconds: 1 }, 0.06],
];

const spoiling = (...operations: readonly string[]): FaultRule[] =>
  operations.flatMap((operation) =>
    LOOKUP_FAULTS.map(([fault, rate]) => ({ match: { operation }, fault, rate })),
  );

/** @param brokenTree where the workers run instead of the checkout */
export async function openEvidenceWorld(late: Late, brokenTree?: string): Promise<EvidenceWorld> {
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-evidence-'));
  chmodSync(folder, 0o755); // PostgreSQL's user must enter it
  const { server, release } = await startServer(folder);
  const database = await prepareTemplate(server, { kind: 'template' });
  const owner = new pg.Pool({ connectionString: roleUrl(server, 'onceover_owner', database), max: 4 });
  owner.on('error', () => undefined);
  const running = await startSystems({
    dataDir: folder,
    settings: await ensureSettings(folder, {}),
    log: openSandboxLog(folder),
    faults: {
      crm: spoiling('search-records', 'read-record'),
      mail: spoiling('search-messages'),
      payment: spoiling('search-payments'),
    },
  });
  const systems = accessTo(running.settings);
  const token = await makeRecords(owner, running.settings, termsFor(late));
  const ports = await freePorts(SERVERS);
  const url = (role: 'onceover_app' | 'onceover_worker') => roleUrl(server, role, database);
  const hire = (post: Post) => new Worker(post, { struck: () => undefined, ended: console.error });
  const servers = ports.map((at, index) =>
    hire({ kind: 'server', index, env: { DATABASE_URL: url('onceover_app'), CHAOS_PORT: String(at) } }),
  );
  const workerEnv = { DATABASE_URL: url('onceover_worker'), ...secretVariables(running.settings) };
  const workers = Array.from({ length: WORKERS }, (_, index) =>
    hire({ kind: 'worker', index, env: workerEnv, root: brokenTree }),
  );
  const automations = Array.from({ length: AUTOMATIONS }, (_, index) => {
    const order: AutomationOrder = {
      serverUrls: ports.map((at) => `http://127.0.0.1:${at}`),
      ...{ name: `automation ${index}`, token, systems, skewMs: 0 },
      notebook: path.join(folder, `automation-${index}.jsonl`),
    };
    return hire({ kind: 'automation', index, env: { CHAOS_ORDER: JSON.stringify(order) } });
  });
  const everybody = [...servers, ...workers, ...automations];
  await Promise.all(everybody.map((each) => each.start()));
  return {
    ...{ owner, folder, systems, workers, automations },
    close: async () => {
      await Promise.all(everybody.map((each) => each.stop()));
      await owner.end();
      await running.close();
      await release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
