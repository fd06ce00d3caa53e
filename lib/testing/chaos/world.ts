// The world of a chaos run: a PostgreSQL of its own behind a proxy that loses things, the sandbox's systems, and processes.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createPerson } from '@/lib/access/create-person';
import { MIGRATIONS_FOLDER } from '@/lib/commands/migration-engine.mjs';
import { installerContext } from '@/lib/commands/owner-pool';
import { openSandboxLog } from '@/lib/sandbox/sandbox-log';
import { ensureSettings, secretVariables } from '@/lib/sandbox/settings';
import { startSystems } from '@/lib/sandbox/systems/start-systems';
import { faultProxy, throughProxy, type FaultProxy } from '../fault-proxy';
import { sessionOf } from '../people';
import { prepareTemplate } from '../template';
import { roleUrl } from '../urls';
import { accessTo, freePorts, makeRecords, postmasterOf, startServer, TENANT, type Terms } from './ground';
import type { AutomationOrder, OperatorOrder } from './orders';
import { AUTOMATIONS, INSTANCES, LEASE_SECONDS } from './plan';
import { Worker, type Post } from './staff';
import type { StruckMessage } from './points';

/**
 * Short enough to be seen within a run. Lease, grace and the systems' delay together outlast a stop and the slowest call
 * after it: a policy must say how long an owner may still be sending, or "not found" proves nothing (R-064).
 */
const TERMS: Terms = {
  policy: {
    leaseSeconds: LEASE_SECONDS,
    graceSeconds: 2,
    longRunningSeconds: 60,
    claimWithinSeconds: 60,
    retryWithinSeconds: 60,
    retentionSeconds: 86_400,
    negativeProofHorizonSeconds: 3,
    evidenceMaxAgeSeconds: 60,
    maxAttempts: 20,
  },
  connector: { visibilityDelaySeconds: 2, ratePerSecond: 100, backoffSeconds: 1 },
};
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
  const token = await makeRecords(owner, systems.settings, TERMS);
  const people = await makePeople(owner);
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
      const order: AutomationOrder = {
        serverUrls: ports.map((at) => `http://127.0.0.1:${at}`),
        ...{ name: `automation ${index}`, token, skewMs, notebook: notebookOf(folder, 'automation', index) },
        systems: accessTo(systems.settings),
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

type Pair = Pick<OperatorOrder, 'operatorId' | 'approverId' | 'sessions'>;

async function makePeople(owner: pg.Pool): Promise<Pair[]> {
  const context = installerContext('chaos');
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
  return people;
}
