// The demo on a test database: producer API over HTTP, worker, the sandbox's systems, and its automations as real
// processes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import pino from 'pino';
import { transaction } from '@/lib/db/transaction';
import { createProducerApi } from '@/lib/ledger/http/producer-api';
import { applyConfiguration, readConfiguration } from '@/lib/commands/configuration';
import { DEMO_AUTOMATIONS, DEMO_SQL_PRODUCER, DEMO_TENANTS } from '@/lib/commands/demo-accounts';
import { ensurePrincipal, ensureTenant, issueToken } from '@/lib/commands/issue-token';
import { installerContext } from '@/lib/commands/owner-pool';
import { startWorker } from '@/lib/commands/worker-process';
import { asking, type Asking } from '@/lib/lookup/ask-connector';
import { demoConfiguration } from '@/lib/sandbox/demo-config';
import { openWorkBook } from '@/lib/sandbox/automations/work-book';
import { Supervisor, type SupervisorOptions } from '@/lib/sandbox/automations/supervisor';
import { openSandboxLog, readSandboxLog, type SandboxEvent } from '@/lib/sandbox/sandbox-log';
import {
  ensureSettings,
  secretVariables,
  systemUrl,
  type SandboxSettings,
  type SystemName,
} from '@/lib/sandbox/settings';
import { startSystems } from '@/lib/sandbox/systems/start-systems';
import type { TestDatabase } from './database';

export interface SandboxDemo {
  dataDir: string;
  /** Where the producer API answers, and with which token of `north-automation`. */
  producer: { baseUrl: string; token: string };
  /** For lookups: with the connectors' secrets. */
  asking: Asking;
  supervisor: Supervisor;
  log: () => SandboxEvent[];
  /** What a system answers to a question, read with its own API key. */
  ask: (system: SystemName, address: string) => Promise<{ status: number; body: Found }>;
  sweep: () => Promise<void>;
  close: () => Promise<void>;
}

interface Found {
  id?: string;
  status?: string;
  items?: { id: string; status: string; enteredByHand: boolean; amount?: number }[];
}

/** Times of the demo's policies, shorter still. Seconds. */
const TEST_TIMES = { graceSeconds: 1, longRunningSeconds: 3, claimWithinSeconds: 1 };
/** Long enough for a step of an automation on a machine that does much else meanwhile. */
const LEASE_SECONDS = 10;
const RETENTION_SECONDS = 12;

export async function startSandboxDemo(db: TestDatabase): Promise<SandboxDemo> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'demo-'));
  const settings = await ensureSettings(dataDir, {});
  const { url: northSqlUrl, role } = await db.producer();
  const producers = await makeRecords(db, settings, role);
  const api = await serveApi(db);
  const log = openSandboxLog(dataDir);
  const systems = await startSystems({ dataDir, settings, log });
  const how = asking(secretVariables(settings), () => undefined);
  const worker = await startWorker({ pool: db.pool('worker'), asking: how, log: pino({ level: 'silent' }) });
  const { book, journal } = openWorkBook(dataDir);
  const access = (name: SystemName) => ({
    url: systemUrl(systems.settings, name),
    secret: settings[name].secret,
  });
  const supervisor = new Supervisor({
    base: {
      dataDir,
      ledgerUrl: api.url,
      northSqlUrl,
      leaseSeconds: LEASE_SECONDS,
      systems: { crm: access('crm'), mail: access('mail'), payment: access('payment') },
    },
    producers,
    book,
    journal,
    log,
  });
  return {
    dataDir,
    producer: { baseUrl: api.url, token: producers['north-automation']?.token ?? '' },
    asking: how,
    supervisor,
    log: () => readSandboxLog(dataDir),
    ask: async (system, address) => {
      const { url, secret } = access(system);
      const response = await fetch(url + address, { headers: { authorization: `Bearer ${secret}` } });
      return { status: response.status, body: (await response.json()) as Found };
    },
    sweep: () =>
      transaction(db.pool('worker'), installerContext('sweep'), async (tx) => {
        await tx.query('select ledger.sweep()');
      }),
    close: async () => {
      await supervisor.stop();
      await worker.stop();
      journal.close();
      await systems.close();
      await api.close();
    },
  };
}

async function makeRecords(
  db: TestDatabase,
  settings: SandboxSettings,
  sqlRole: string,
): Promise<SupervisorOptions['producers']> {
  const { connectors, policies } = demoConfiguration(settings);
  const shortened = policies.map((policy) => ({
    ...policy,
    ...TEST_TIMES,
    graceSeconds: policy.operation === 'delete-crm-record' ? policy.graceSeconds : TEST_TIMES.graceSeconds,
    retentionSeconds:
      policy.operation === 'register-monthly-report' ? RETENTION_SECONDS : policy.retentionSeconds,
  }));
  const quick = connectors.map((connector) => ({
    ...connector,
    recipe: { ...connector.recipe, visibilityDelaySeconds: 1 },
  }));
  const configuration = readConfiguration({ connectors: quick, policies: shortened }, 'the demo of a test');
  const context = installerContext('test');
  return transaction(db.pool('owner'), context, async (tx) => {
    for (const { tenantId, displayName } of DEMO_TENANTS) await ensureTenant(tx, tenantId, displayName, true);
    await applyConfiguration(tx, configuration, { demo: true, createdBy: context.actor.id });
    await ensurePrincipal(tx, { ...DEMO_SQL_PRODUCER, loginRole: sqlRole });
    const producers: SupervisorOptions['producers'] = {};
    for (const { principalId, tenantId, displayName } of DEMO_AUTOMATIONS) {
      await ensurePrincipal(tx, { principalId, tenantId, displayName, loginRole: null });
      producers[principalId] = { tenant: tenantId, token: await issueToken(tx, principalId, tenantId) };
    }
    return producers;
  });
}

async function serveApi(db: TestDatabase): Promise<{ url: string; close: () => Promise<void> }> {
  const api = createProducerApi({
    pool: () => db.pool('app'),
    fieldHashKey: () => Buffer.alloc(32, 7),
    log: pino({ level: 'silent' }),
  });
  const server = createAdaptorServer({ fetch: api.fetch });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('bug: the API has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
