// `npm run up`: from a clean clone to a running product.
import { requireNode } from './require-node.mjs';

requireNode();
const { bringUp } = await import('./bring-up.mjs');
await bringUp();
