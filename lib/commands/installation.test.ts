import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { childPlans, installationEnv } from './installation.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'onceover-installation-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it('PR-09 SC-06 the signer alone is told its key and its webhook’s secrets, and nobody else’s', () => {
  const own = [
    'AUDIT_SIGNING_KEY',
    'SECRET_AUDIT_CHECKPOINT_WEBHOOK',
    'SECRET_AUDIT_CHECKPOINT_WEBHOOK_NEXT',
  ];
  const others = ['SECRET_CONNECTOR', 'NEXTAUTH_SECRET', 'FIELD_HASH_KEY'];
  for (const name of [...own, ...others]) vi.stubEnv(name, `canary of ${name}`);
  const plans = childPlans({
    env: installationEnv({ folder, host: '127.0.0.1', port: 3000, embedded: false }),
    database: { appUrl: 'app', workerUrl: 'worker', signerUrl: 'signer' },
    folder,
  });
  if (plans.signer === false) throw new Error('no signer');
  for (const name of own) {
    expect(plans.signer.env[name]).toBe(`canary of ${name}`);
    for (const plan of [plans.server, plans.worker]) expect(plan.env).not.toHaveProperty(name);
  }
  for (const name of others) expect(plans.signer.env).not.toHaveProperty(name);
  expect(plans.server.env).toHaveProperty('SECRET_CONNECTOR');
});
