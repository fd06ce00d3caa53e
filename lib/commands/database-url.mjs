// `npm run -s db:url [-- --role NAME]`: a connection address of the embedded database on standard output.
import { parseArgs } from 'node:util';
import { readCommandLine } from './command-line.mjs';
import { databaseRecord, lastKnownPort, runningDatabase, urlFor } from './embedded-database.mjs';

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

const { values } = readCommandLine(USAGE, () =>
  parseArgs({ options: { role: { type: 'string', default: 'app' } } }),
);
const role = ROLES[values.role];
if (!role) {
  console.error(`--role must be one of ${Object.keys(ROLES).join(', ')}`);
  process.exit(1);
}
const running = runningDatabase();
const port = running?.port ?? lastKnownPort();
if (!port) {
  console.error('There is no embedded database here yet: `npm run up` makes it.');
  process.exit(1);
}
if (!running) console.error('The embedded database does not run now; this is its address when it does.');
console.log(urlFor(databaseRecord(), port)(role));
