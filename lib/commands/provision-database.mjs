// What only the embedded database's superuser can do: the owner's role, the database, and the logins of the roles
// that migrations make. An installation with its own server does the same by hand (OPERATIONS.md).
import pg from 'pg';

// Two instances that start at once would update the same catalogue rows.
const PROVISION_LOCK = 7_203_110_001;

async function asSuperuser(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [PROVISION_LOCK]);
    await work(client);
  } finally {
    await client.end();
  }
}

const roleExists = async (client, role) =>
  (await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])).rowCount > 0;

const setPassword = (client, role, password) =>
  client.query(
    `ALTER ROLE ${client.escapeIdentifier(role)} LOGIN PASSWORD ${client.escapeLiteral(password)}`,
  );

/**
 * The owner's role, who may make roles but is no superuser, and an empty database of its own.
 * @param {string} superuserUrl of the database `postgres`
 * @param {{ password: string, database: string }} owner
 */
export const provisionOwner = (superuserUrl, { password, database }) =>
  asSuperuser(superuserUrl, async (client) => {
    if (!(await roleExists(client, 'onceover_owner')))
      await client.query('CREATE ROLE onceover_owner CREATEROLE');
    await setPassword(client, 'onceover_owner', password);
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (known.rowCount === 0) {
      await client.query(
        `CREATE DATABASE ${client.escapeIdentifier(database)} OWNER onceover_owner TEMPLATE template0`,
      );
    }
  });

/**
 * Advisory locks for the product's roles alone: their names are no secret, and a producer that held one would keep everybody who
 * decides, signs in or claims waiting. They belong to one database, so that this is said in it.
 */
const KEEP_LOCKS = `
  DO $$
  DECLARE f regprocedure;
  BEGIN
    FOR f IN SELECT oid::regprocedure FROM pg_proc
      WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^pg_(try_)?advisory_' LOOP
      EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f);
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO onceover_owner, onceover_app, onceover_worker, onceover_signer', f);
    END LOOP;
  END $$`;

function inDatabase(superuserUrl, database) {
  const url = new URL(superuserUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * Lets the roles of the product log in, and only them connect and take advisory locks.
 * @param {string} superuserUrl of the database `postgres`
 * @param {{ passwords: Record<string, string>, database: string }} logins passwords by role
 */
export async function enableLogins(superuserUrl, { passwords, database }) {
  await asSuperuser(superuserUrl, async (client) => {
    for (const role of ['onceover_app', 'onceover_worker', 'onceover_signer']) {
      await setPassword(client, role, passwords[role]);
    }
    const name = client.escapeIdentifier(database);
    await client.query(`
      REVOKE ALL ON DATABASE ${name} FROM PUBLIC;
      GRANT CONNECT ON DATABASE ${name} TO onceover_app, onceover_worker, onceover_signer, onceover_producer`);
  });
  await asSuperuser(inDatabase(superuserUrl, database), (client) => client.query(KEEP_LOCKS));
}
