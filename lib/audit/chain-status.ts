import 'server-only';
import { pool, type Queryable } from '@/lib/db/pool';
import { keptTrail } from './kept-trail';
import { ChainMemory, verifyChain } from './verify-chain';
import type { Verification } from './verifier/verify-log.mjs';

/** Milliseconds that one look may take; a page must not wait for a long log. */
const BUDGET_MS = 1_500;
/** Milliseconds for which an answer is shared by everybody who looks. */
const FRESH_MS = 3_000;

interface Status {
  verification: Verification;
  /** RFC 3339, UTC: when that was found. */
  checkedAt: string;
}

interface Holder {
  at: number;
  status: Promise<Status>;
}

const holder = globalThis as {
  onceoverChain?: Holder;
  onceoverChainMemory?: ChainMemory;
};

/**
 * The same verification as `npm run audit:verify`, for the page, with the checkpoints that the database keeps: bounded in time, shared by concurrent readers. A pass that
 * ran out of time is continued by the next look; one that reached the head, or found a fault, starts over.
 */
export function chainStatus(database: Queryable = pool('pages')): Promise<Status> {
  const now = performance.now();
  const present = holder.onceoverChain;
  if (present && now - present.at < FRESH_MS) return present.status;
  const status = look(database);
  holder.onceoverChain = { at: now, status };
  // A failed look is nobody's answer but the one who asked.
  status.catch(() => {
    if (holder.onceoverChain?.status === status) delete holder.onceoverChain;
  });
  return status;
}

async function look(database: Queryable): Promise<Status> {
  const memory = holder.onceoverChainMemory ?? new ChainMemory();
  const verification = await verifyChain(database, {
    budgetMs: BUDGET_MS,
    memory,
    openTrail: () => keptTrail(database),
  });
  if (verification.kind === 'partial') holder.onceoverChainMemory = memory;
  else delete holder.onceoverChainMemory;
  return { verification, checkedAt: new Date().toISOString() };
}
