/** Same-database mode: what a program imports whose own tables lie beside the ledger's. */
export { FinalRefusal } from './client/effect-errors';
export { pgDatabase } from './run-once/pg-database';
export { prismaDatabase } from './run-once/prisma-database';
export { runOnce } from './run-once/run-once';
export { TransactionEnded } from './run-once/transaction-end';
export type * from './run-once/types';
