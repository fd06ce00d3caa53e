/**
 * The demo sandbox as one process: three external systems on loopback and the automations that use them.
 *
 * Environment: DATA_DIR · ONCEOVER_URL (where the producer API is; default http://127.0.0.1:PORT) · NORTH_SQL_URL (login
 * of the SQL producer; default that of the embedded database, if any) · SANDBOX_AUTOMATIONS=off for the systems alone ·
 * DEMO, NODE_ENV.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { openWorkBook } from '@/lib/sandbox/automations/work-book';
import { runAutomations } from '@/lib/sandbox/automations/run-automations';
import { sandboxRefusal } from '@/lib/sandbox/guard';
import { openSandboxLog } from '@/lib/sandbox/sandbox-log';
import { ensureSettings, systemUrl, SYSTEM_NAMES, type SandboxSettings } from '@/lib/sandbox/settings';
import { startSystems } from '@/lib/sandbox/systems/start-systems';
import { runningDatabase } from './embedded-database.mjs';

const TENANTS: Record<string, string> = {
  'north-automation': 'tenant-north',
  'south-automation': 'tenant-south',
};

/** Short, so that a killed owner is found within the first minute. */
const LEASE_SECONDS = 15;

const refusal = sandboxRefusal(process.env);
if (refusal !== null) {
  console.error(`The sandbox does not run: ${refusal}.`);
  process.exit(1);
}

const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
// The parent is gone, kill -9 included: so are we.
if (process.channel !== undefined) process.once('disconnect', () => stopping.abort());

const dataDir = path.resolve(process.env.DATA_DIR ?? '.data');
const log = openSandboxLog(dataDir);
const systems = await startSystems({ dataDir, settings: await ensureSettings(dataDir, process.env), log });
process.send?.({ ready: systems.settings });
const stopped = new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
if (process.env.SANDBOX_AUTOMATIONS !== 'off') await automate(systems.settings);
await stopped;
await systems.close();
process.exit(0);

async function automate(settings: SandboxSettings): Promise<void> {
  const { book, journal } = openWorkBook(dataDir);
  try {
    await runAutomations({
      base: {
        ledgerUrl: process.env.ONCEOVER_URL ?? `http://127.0.0.1:${process.env.PORT ?? '3000'}`,
        dataDir,
        systems: accessTo(settings),
        leaseSeconds: LEASE_SECONDS,
        northSqlUrl: northSqlUrl(),
      },
      producers: await readProducers(),
      book,
      journal,
      log,
      signal: stopping.signal,
    });
  } finally {
    journal.close();
  }
}

function accessTo(settings: SandboxSettings) {
  const entries = SYSTEM_NAMES.map((name) => [
    name,
    { url: systemUrl(settings, name), secret: settings[name].secret },
  ]);
  return Object.fromEntries(entries) as Record<'crm' | 'mail' | 'payment', { url: string; secret: string }>;
}

function northSqlUrl(): string | null {
  if (process.env.NORTH_SQL_URL !== undefined) return process.env.NORTH_SQL_URL;
  const embedded = fs.existsSync(path.join(dataDir, 'database.json')) ? runningDatabase(dataDir) : null;
  return embedded?.url('north_sql') ?? null;
}

/** The demo's producer tokens, which the bootstrap keeps as `{principal: token}`; it may still be at work. */
async function readProducers(): Promise<Record<string, { tenant: string; token: string }>> {
  const file = path.join(dataDir, 'demo-tokens.json');
  while (!fs.existsSync(file) && !stopping.signal.aborted) await sleep(500);
  if (stopping.signal.aborted) return {};
  const tokens = z.record(z.string(), z.string()).parse(JSON.parse(await fs.promises.readFile(file, 'utf8')));
  return Object.fromEntries(
    Object.entries(tokens).flatMap(([principal, token]) => {
      const tenant = TENANTS[principal];
      return tenant === undefined ? [] : [[principal, { tenant, token }]];
    }),
  );
}
