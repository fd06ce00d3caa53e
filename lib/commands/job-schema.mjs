// The job library's own schema, and what the worker's role may do in it.
import { Logger, runMigrations } from 'graphile-worker';

const silent = new Logger(() => () => undefined);

// The library switches row level security on without policies: only the owner would see a job.
const GRANTS = `
GRANT USAGE ON SCHEMA graphile_worker TO onceover_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO onceover_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA graphile_worker TO onceover_worker;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO onceover_worker;
DO $policies$
DECLARE
  guarded regclass;
BEGIN
  FOR guarded IN
    SELECT c.oid FROM pg_class c
    WHERE c.relnamespace = 'graphile_worker'::regnamespace AND c.relrowsecurity
      AND NOT EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'worker_runs_jobs')
  LOOP
    EXECUTE format('CREATE POLICY worker_runs_jobs ON %s TO onceover_worker USING (true) WITH CHECK (true)', guarded);
  END LOOP;
END
$policies$;
`;

/**
 * Installs or updates the schema `graphile_worker`. Safe when two instances do it at once.
 * @param {import('pg').Client} client connected as the owner
 * @param {string} url the same database
 */
export async function installJobSchema(client, url) {
  await runMigrations({ connectionString: url, logger: silent });
  await client.query(GRANTS);
}
