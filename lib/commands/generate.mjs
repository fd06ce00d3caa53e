// `npm run generate`: everything that is made from sources and not committed.
import { takesNoArguments } from './command-line.mjs';
import { generate } from './toolchain.mjs';

takesNoArguments('usage: npm run generate\n  Makes the Prisma client from the schema.');
console.log(`prisma client generated in ${(await generate()).toFixed(1)} s`);
