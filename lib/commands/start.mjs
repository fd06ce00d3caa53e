// `npm start`: serves a built app for real use. Server and worker, no demo, every secret from the environment.
import { requireNode } from './require-node.mjs';

requireNode();
const { startProduction } = await import('./start-production.mjs');
await startProduction();
