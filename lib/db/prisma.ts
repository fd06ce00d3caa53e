import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client';
import { pool, type Pool } from './pool';

export type { PrismaClient } from './generated/client';

/** Prisma over a pool of ours: for reads and single statements. Multi-step writes go through `transaction()`. */
export function makePrisma(over: Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(over, { disposeExternalPool: false }) });
}

const holder = globalThis as { onceoverPrisma?: PrismaClient };

/** The process-wide client over the pages' pool. */
export function prisma(): PrismaClient {
  return (holder.onceoverPrisma ??= makePrisma(pool('pages')));
}
