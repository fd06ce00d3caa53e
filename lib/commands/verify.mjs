// `npm run verify [-- --full]`: everything that must hold before a change is good. The last line counts.
import { requireNode } from './require-node.mjs';

requireNode();
const { parseArgs } = await import('node:util');
const { readCommandLine } = await import('./command-line.mjs');
const USAGE = `usage: npm run verify [-- --full]
  Everything that CI checks; --full (npm run verify:full) adds the long suites. The last line counts.`;
const { values } = readCommandLine(USAGE, () =>
  parseArgs({ options: { full: { type: 'boolean', default: false } } }),
);
const { verify } = await import('./run-checks.mjs');
await verify(values);
