// `npm run db:url [-- --role NAME]`: a connection address of the embedded database on standard output.
import { parseArgs } from 'node:util';
import { databaseRecord, lastKnownPort, runningDatabase, urlFor } from './embedded-database.mjs';

const ROLES = {
  app: 'onceover_app',
  owner: 'onceover_owner',
  worker: 'onceover_worker',
  signer: 'onceover_signer',
  superuser: 'postgres',
  north_sql: 'north_sql',
};

const { values } = parseArgs({ options: { role: { type: 'string', default: 'app' } } });
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
