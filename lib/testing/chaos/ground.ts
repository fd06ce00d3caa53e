// What every chaos world stands on: a PostgreSQL of its own, free ports, and the records without which nothing can be claimed.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import type pg from 'pg';
import { applyConfiguration, readConfiguration } from '@/lib/commands/configuration';
import { DEMO_TENANTS } from '@/lib/commands/demo-accounts';
import { holdCluster } from '@/lib/commands/embedded-database.mjs';
import { ensurePrincipal, ensureTenant, issueToken } from '@/lib/commands/issue-token';
import { installerContext } from '@/lib/commands/owner-pool';
import { transaction } from '@/lib/db/transaction';
import type { Connector } from '@/lib/domain/connector';
import { demoConfiguration } from '@/lib/sandbox/demo-config';
import type { DemoPolicy } from '@/lib/sandbox/demo/policies';
import { SYSTEM_NAMES, systemUrl, type SandboxSettings } from '@/lib/sandbox/settings';
import type { SystemsAccess } from '@/lib/sandbox/automations/protocol';
import type { TestServer } from '../cluster';

const PRINCIPAL = 'north-automation';
export const TENANT = 'tenant-north';

export async function startServer(
  folder: string,
): Promise<{ server: TestServer; release: () => Promise<void> }> {
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

export function postmasterOf(folder: string): number {
  const [pid] = readFileSync(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
  return Number(pid);
}

export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((each) => new Promise((resolve) => each.once('listening', resolve))));
  const ports = servers.map((each) => (each.address() as AddressInfo).port);
  await Promise.all(servers.map((each) => new Promise((resolve) => each.close(resolve))));
  return ports;
}

/** How a world differs from the demo: its times, and what its connectors are like. */
export interface Terms {
  readonly policy: Partial<DemoPolicy>;
  readonly connector: Partial<Connector>;
}

/** The demo's tenants, policies and connectors under other terms, and a principal; answers its token. */
export async function makeRecords(owner: pg.Pool, settings: SandboxSettings, terms: Terms): Promise<string> {
  const demo = demoConfiguration(settings);
  const configuration = readConfiguration(
    {
      policies: demo.policies.map((policy) => ({ ...policy, ...terms.policy })),
      connectors: demo.connectors.map(({ recipe, ...connector }) => ({
        ...connector,
        recipe: { ...recipe, ...terms.connector },
      })),
    },
    'the policies of the chaos suite',
  );
  const context = installerContext('chaos');
  return transaction(owner, context, async (tx) => {
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
}

/** The systems' addresses and keys, as an automation has them. */
export function accessTo(settings: SandboxSettings): SystemsAccess {
  const access = SYSTEM_NAMES.map((name) => [
    name,
    { url: systemUrl(settings, name), secret: settings[name].secret },
  ]);
  return Object.fromEntries(access) as SystemsAccess;
}
