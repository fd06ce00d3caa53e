// `npm run verify [-- --full]`: everything that must hold before a change is good. The last line counts.
import { requireNode } from './require-node.mjs';

requireNode();
const { verify } = await import('./run-checks.mjs');
await verify({ full: process.argv.includes('--full') });
