import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client';
import type { Pool } from './pool';

const holder = globalThis as { onceoverPrisma?: WeakMap<Pool, PrismaClient> };

/**
 * Prisma over a pool of ours, one client per pool: for reads and single statements by their models. Multi-step writes go
 * through `transaction()`, since a Prisma transaction that runs into its own timer can leave a late row committed.
 */
export function prismaOver(pool: Pool): PrismaClient {
  const clients = (holder.onceoverPrisma ??= new WeakMap());
  const present = clients.get(pool);
  if (present) return present;
  const made = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) });
  clients.set(pool, made);
  return made;
}
