// The first records of an installation, made as the owner: ONCEOVER_CONFIG's, and the demo's when DEMO is on.
// Safe to run at every start: what exists is left alone.
import { appendAudit } from '@/lib/db/append-audit';
import { makePool, type Pool } from '@/lib/db/pool';
import { transaction } from '@/lib/db/transaction';
import { applyConfiguration, readConfigurationFile, type Configuration } from './configuration';
import { dataDir } from './data-dir.mjs';
import { ensureTenant } from './issue-token';
import { installerContext } from './owner-pool';

const context = installerContext('bootstrap');

async function applyFile(pool: Pool, configuration: Configuration): Promise<void> {
  await transaction(pool, context, async (tx) => {
    for (const { tenantId, displayName } of configuration.tenants)
      await ensureTenant(tx, tenantId, displayName, false);
    const made = await applyConfiguration(tx, configuration, { demo: false, createdBy: context.actor.id });
    if (made > 0)
      await appendAudit(tx, { event: 'bootstrap.completed', outcome: 'done', body: { rows: made } });
  });
}

const url = process.env.DATABASE_OWNER_URL;
if (!url) throw new Error('DATABASE_OWNER_URL is not set: the database, as the role onceover_owner');
const pool = makePool({ connectionString: url, name: 'bootstrap', max: 2 });
try {
  if (process.env.ONCEOVER_CONFIG) await applyFile(pool, readConfigurationFile(process.env.ONCEOVER_CONFIG));
  // Imported only here: an installation for real use never loads the sandbox.
  if (process.env.DEMO === 'on') await (await import('./make-demo')).makeDemo(pool, dataDir());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await pool.end();
}
