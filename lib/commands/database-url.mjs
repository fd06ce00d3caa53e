// `npm run -s db:url [-- --role NAME]`: a connection address of the embedded database on standard output.
import { parseArgs } from 'node:util';
import { readCommandLine } from './command-line.mjs';
import { databaseRecord, lastKnownPort, runningDatabase, urlFor } from './embedded-database.mjs';
import { NOT_INSTALLED, installedFolder } from './installed-database.mjs';

const ROLES = {
  app: 'onceover_app',
  owner: 'onceover_owner',
  worker: 'onceover_worker',
  signer: 'onceover_signer',
  superuser: 'postgres',
  north_sql: 'north_sql',
};

const USAGE = `usage: npm run -s db:url [-- --role ${Object.keys(ROLES).join('|')}]
  Prints a connection address of the embedded database. With -s npm prints nothing of its own, so that it can be handed
  on: psql "$(npm run -s db:url -- --role north_sql)"`;

function folderOrEnd() {
  try {
    return installedFolder();
  } catch (error) {
    console.error(error.message);
    process.exit(NOT_INSTALLED);
  }
}

const { values } = readCommandLine(USAGE, () =>
  parseArgs({ options: { role: { type: 'string', default: 'app' } } }),
);
const role = ROLES[values.role];
if (!role) {
  console.error(`--role must be one of ${Object.keys(ROLES).join(', ')}`);
  process.exit(1);
}
const folder = folderOrEnd();
const running = runningDatabase(folder);
const port = running?.port ?? lastKnownPort(folder);
if (!running) console.error('The embedded database does not run now; this is its address when it does.');
console.log(urlFor(databaseRecord(folder), port)(role));
