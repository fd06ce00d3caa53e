// The embedded database for commands that use an installation and never make one: `npm run up` does that.
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { dataDirPlace } from './data-dir.mjs';
import { databaseRecord, holdDatabase } from './embedded-database.mjs';

/** There is nothing to work on; said to the person who started the command. */
export class NotInstalled extends Error {}

/** Exit code of a command that found no installation: nothing was done, and nothing was made. */
export const NOT_INSTALLED = 2;

/** SQLSTATEs of a cluster whose first start was cut short: no such password or role, no such database. */
const UNFINISHED = ['28P01', '28000', '3D000'];

/**
 * The folder of an embedded database that has been made. Looks, and makes nothing.
 * @param {string} [variable] what names another database instead
 * @returns {string}
 */
export function installedFolder(variable = 'DATABASE_URL') {
  const folder = dataDirPlace();
  const known = fs.existsSync(path.join(folder, 'database.json')) ? databaseRecord(folder).cluster : null;
  if (known !== null && fs.existsSync(path.join(known, 'data/PG_VERSION'))) return folder;
  throw new NotInstalled(
    `There is no embedded database here yet (${folder}): run \`npm run up\`, or set ${variable}.`,
  );
}

async function tryLogIn(url, folder) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(`SELECT to_regnamespace('review') IS NOT NULL AS migrated`);
    if (rows[0].migrated) return;
  } catch (error) {
    if (!UNFINISHED.includes(error.code)) throw error;
  } finally {
    await client.end();
  }
  throw new NotInstalled(
    `The embedded database in ${folder} is only half made: its first start was cut short. \`npm run up\` completes it.`,
  );
}

/**
 * The embedded database, running, with a role that is known to log in.
 * @param {string} role
 * @param {string} [variable] what names another database instead
 */
export async function holdInstalled(role, variable) {
  const folder = installedFolder(variable);
  const held = await holdDatabase(folder);
  try {
    await tryLogIn(held.url(role), folder);
  } catch (error) {
    await held.release();
    throw error;
  }
  return held;
}
