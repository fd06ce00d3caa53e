// The world of a chaos run: a PostgreSQL of its own behind a proxy that loses things, the sandbox's systems, and processes.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createPerson } from '@/lib/access/create-person';
import { applyConfiguration, readConfiguration } from '@/lib/commands/configuration';
import { DEMO_TENANTS } from '@/lib/commands/demo-accounts';
import { holdCluster } from '@/lib/commands/embedded-database.mjs';
import { ensurePrincipal, ensureTenant, issueToken } from '@/lib/commands/issue-token';
import { MIGRATIONS_FOLDER } from '@/lib/commands/migration-engine.mjs';
import { installerContext } from '@/lib/commands/owner-pool';
import { transaction } from '@/lib/db/transaction';
import { demoConfiguration } from '@/lib/sandbox/demo-config';
import { openSandboxLog } from '@/lib/sandbox/sandbox-log';
import {
  ensureSettings,
  secretVariables,
  SYSTEM_NAMES,
  systemUrl,
  type SandboxSettings,
} from '@/lib/sandbox/settings';
import { startSystems } from '@/lib/sandbox/systems/start-systems';
import type { TestServer } from '../cluster';
import { faultProxy, throughProxy, type FaultProxy } from '../fault-proxy';
import { sessionOf } from '../people';
import { prepareTemplate } from '../template';
import { roleUrl } from '../urls';
import type { AutomationOrder, OperatorOrder } from './orders';
import { AUTOMATIONS, INSTANCES, LEASE_SECONDS } from './plan';
import { Worker, type Post } from './staff';
import type { StruckMessage } from './points';

const PRINCIPAL = 'north-automation';
const TENANT = 'tenant-north';
/**
 * Short enough to be seen within a run. Lease, grace and the systems' delay together outlast a stop and the slowest call
 * after it: a policy must say how long an owner may still be sending, or "not found" proves nothing (R-064).
 */
const TIMES = {
  leaseSeconds: LEASE_SECONDS,
  graceSeconds: 2,
  longRunningSeconds: 60,
  claimWithinSeconds: 60,
  retryWithinSeconds: 60,
  retentionSeconds: 86_400,
  negativeProofHorizonSeconds: 3,
  evidenceMaxAgeSeconds: 60,
  maxAttempts: 20,
} as const;
/** Clocks of the automations are wrong by this much; nothing may depend on them. */
const SKEWS_MS = [0, 0, 0, 0, 600_000, -600_000, 3_600_000, -3_600_000] as const;

export interface World {
  readonly owner: pg.Pool;
  readonly proxy: FaultProxy;
  readonly folder: string;
  readonly staff: Readonly<Record<Post['kind'], readonly Worker[]>>;
  readonly notebooks: readonly string[];
  readonly struck: StruckMessage[];
  /** What processes said that ended by themselves. */
  readonly restarts: string[];
  killDatabase(): void;
  close(): Promise<void>;
}

/** @param migrations another folder of migrations, for a product that was broken on purpose */
export async function openWorld(migrations = MIGRATIONS_FOLDER): Promise<World> {
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-chaos-'));
  chmodSync(folder, 0o755); // PostgreSQL's user must enter it
  const { server, release } = await startServer(folder);
  const database = await prepareTemplate(server, { folder: migrations, kind: 'template' });
  const owner = new pg.Pool({ connectionString: roleUrl(server, 'onceover_owner', database), max: 4 });
  owner.on('error', () => undefined);
  const settings = await ensureSettings(folder, {});
  const systems = await startSystems({ dataDir: folder, settings, log: openSandboxLog(folder) });
  const { token, people } = await makeRecords(owner, systems.settings);
  const port = Number(new URL(server.adminUrl).port);
  const proxy = await faultProxy({ host: '127.0.0.1', port });
  const through = (role: 'onceover_app' | 'onceover_worker') =>
    throughProxy(roleUrl(server, role, database), proxy);
  const struck: StruckMessage[] = [];
  const restarts: string[] = [];
  const notebooks = [
    ...Array.from({ length: AUTOMATIONS }, (_, index) => notebookOf(folder, 'automation', index)),
  ];
  notebooks.push(...people.map((_, index) => notebookOf(folder, 'operator', index)));
  const ports = await freePorts(INSTANCES);
  const hire = (post: Post) =>
    new Worker(post, {
      struck: (message) => struck.push(message),
      ended: (line) => restarts.push(line),
    });
  const secrets = secretVariables(systems.settings);
  const staff: World['staff'] = {
    server: ports.map((at, index) =>
      hire({ kind: 'server', index, env: { DATABASE_URL: through('onceover_app'), CHAOS_PORT: String(at) } }),
    ),
    worker: ports.map((_, index) =>
      hire({ kind: 'worker', index, env: { DATABASE_URL: through('onceover_worker'), ...secrets } }),
    ),
    operator: people.map((pair, index) => {
      const notebook = notebookOf(folder, 'operator', index);
      const order: OperatorOrder = { databaseUrl: through('onceover_app'), ...pair, notebook };
      return hire({
        kind: 'operator',
        index,
        env: { CHAOS_ORDER: JSON.stringify(order), ...cursorKey, ...secrets },
      });
    }),
    automation: SKEWS_MS.map((skewMs, index) => {
      const access = SYSTEM_NAMES.map((name) => [
        name,
        { url: systemUrl(systems.settings, name), secret: systems.settings[name].secret },
      ]);
      const order: AutomationOrder = {
        serverUrls: ports.map((at) => `http://127.0.0.1:${at}`),
        ...{ name: `automation ${index}`, token, skewMs, notebook: notebookOf(folder, 'automation', index) },
        systems: Object.fromEntries(access) as AutomationOrder['systems'],
      };
      return hire({ kind: 'automation', index, env: { CHAOS_ORDER: JSON.stringify(order) } });
    }),
  };
  const everybody = Object.values(staff).flat();
  await Promise.all(everybody.map((each) => each.start()));
  return {
    ...{ owner, proxy, folder, staff, notebooks, struck, restarts },
    killDatabase: () => process.kill(postmasterOf(folder), 'SIGKILL'),
    close: async () => {
      await Promise.all(everybody.map((each) => each.stop()));
      await proxy.close();
      await owner.end();
      await systems.close();
      await release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const cursorKey = { FIELD_HASH_KEY: 'a field hash key of the chaos suite, 32 bytes' };
const notebookOf = (folder: string, kind: string, index: number) =>
  path.join(folder, `${kind}-${index}.jsonl`);

async function startServer(folder: string): Promise<{ server: TestServer; release: () => Promise<void> }> {
  const password = randomBytes(16).toString('hex');
  // Killed processes lose nothing of what the kernel holds: only a machine that falls down needs fsync.
  const settings = { fsync: 'off', full_page_writes: 'off' };
  const held = await holdCluster({
    folder: path.join(folder, 'postgres'),
    password,
    settings,
    disposable: true,
  });
  const secret = () => randomBytes(16).toString('hex');
  const server: TestServer = {
    adminUrl: `postgresql://postgres:${password}@127.0.0.1:${held.port}/postgres`,
    passwords: {
      ...{ onceover_owner: secret(), onceover_app: secret() },
      ...{ onceover_worker: secret(), onceover_signer: secret() },
    },
    key: 'chaos',
    release: held.release,
  };
  return { server, release: held.release };
}

function postmasterOf(folder: string): number {
  const [pid] = readFileSync(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
  return Number(pid);
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((each) => new Promise((resolve) => each.once('listening', resolve))));
  const ports = servers.map((each) => (each.address() as AddressInfo).port);
  await Promise.all(servers.map((each) => new Promise((resolve) => each.close(resolve))));
  return ports;
}

type Pair = Pick<OperatorOrder, 'operatorId' | 'approverId' | 'sessions'>;

async function makeRecords(
  owner: pg.Pool,
  settings: SandboxSettings,
): Promise<{ token: string; people: Pair[] }> {
  const demo = demoConfiguration(settings);
  const configuration = readConfiguration(
    {
      policies: demo.policies.map((policy) => ({ ...policy, ...TIMES })),
      connectors: demo.connectors.map(({ recipe, ...connector }) => ({
        ...connector,
        recipe: { ...recipe, visibilityDelaySeconds: 2, ratePerSecond: 100, backoffSeconds: 1 },
      })),
    },
    'the policies of the chaos suite',
  );
  const context = installerContext('chaos');
  const token = await transaction(owner, context, async (tx) => {
    for (const { tenantId, displayName } of DEMO_TENANTS) await ensureTenant(tx, tenantId, displayName, true);
    await applyConfiguration(tx, configuration, { demo: true, createdBy: context.actor.id });
    await ensurePrincipal(tx, {
      principalId: PRINCIPAL,
      tenantId: TENANT,
      displayName: PRINCIPAL,
      loginRole: null,
    });
    return issueToken(tx, PRINCIPAL, TENANT);
  });
  const people: Pair[] = [];
  for (let index = 0; index < INSTANCES; index += 1) {
    const hire = async (role: 'OPERATOR' | 'APPROVER') => {
      const answer = await createPerson(owner, context, {
        ...{ email: `${role.toLowerCase()}-${index}@chaos.test`, displayName: role, roles: [role] },
        ...{ authorities: ['money', 'sending', 'deletion'], tenantIds: [TENANT], locale: null },
        password: randomBytes(24).toString('base64url'),
      });
      if (answer.kind === 'refused') throw new Error(`bug: a person was refused as ${answer.code}`);
      return answer.personId;
    };
    const [operatorId, approverId] = [await hire('OPERATOR'), await hire('APPROVER')];
    const signIn = (personId: string) => sessionOf({ pool: () => owner }, personId);
    const sessions = { [operatorId]: await signIn(operatorId), [approverId]: await signIn(approverId) };
    people.push({ operatorId, approverId, sessions });
  }
  return { token, people };
}
