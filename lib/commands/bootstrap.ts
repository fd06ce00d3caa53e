// The first records of an installation, made as the owner: ONCEOVER_CONFIG's, and the demo's when DEMO is on.
// Safe to run at every start: what exists is left alone. Prints what became of ONCEOVER_CONFIG.
import { makePool } from '@/lib/db/pool';
import { applyConfigurationOnce } from './configuration-once';
import { dataDir } from './data-dir.mjs';

const url = process.env.DATABASE_OWNER_URL;
if (!url) throw new Error('DATABASE_OWNER_URL is not set: the database, as the role onceover_owner');
const pool = makePool({ connectionString: url, name: 'bootstrap', max: 2 });
try {
  if (process.env.ONCEOVER_CONFIG)
    console.log(await applyConfigurationOnce(pool, process.env.ONCEOVER_CONFIG));
  // Imported only here: an installation for real use never loads the sandbox.
  if (process.env.DEMO === 'on') await (await import('./make-demo')).makeDemo(pool, dataDir());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await pool.end();
}
