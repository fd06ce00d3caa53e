// `npm run generate`: everything that is made from sources and not committed.
import { generate } from './toolchain.mjs';

console.log(`prisma client generated in ${(await generate()).toFixed(1)} s`);
