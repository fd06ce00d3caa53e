// `npm start`: serves a built app for real use. Server and worker, no demo, every secret from the environment.
import { requireNode } from './require-node.mjs';

requireNode();
const { takesNoArguments } = await import('./command-line.mjs');
takesNoArguments(`usage: npm start
  Serves a built app in production: server and worker, no demo.
  needs DATABASE_URL, NEXTAUTH_SECRET, NEXTAUTH_URL and FIELD_HASH_KEY; see OPERATIONS.md`);
const { startProduction } = await import('./start-production.mjs');
await startProduction();
