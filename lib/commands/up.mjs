// `npm run up`: from a clean clone to a running product.
import { requireNode } from './require-node.mjs';

requireNode();
const { takesNoArguments } = await import('./command-line.mjs');
takesNoArguments(`usage: npm run up
  Installs, builds, starts PostgreSQL, the desk, the worker and the demo, and prints the address and the accounts.
  PORT (3000)      DATA_DIR (.data)      DEMO=off: no demo      DATABASE_URL: a PostgreSQL of your own`);
const { bringUp } = await import('./bring-up.mjs');
await bringUp();
