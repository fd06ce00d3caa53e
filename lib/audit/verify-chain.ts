import 'server-only';
import type { Queryable } from '@/lib/db/pool';
import {
  CHAIN_START,
  followChain,
  judgeHead,
  type ChainFault,
  type ChainPoint,
} from '@/lib/domain/audit-chain';
import { readHead, readRecords } from './audit-records';

export type Verification =
  | { kind: 'verified'; upTo: bigint }
  | { kind: 'broken'; fault: ChainFault }
  /** Time was up: good as far as `reached`, and the head is at `head`. */
  | { kind: 'partial'; reached: ChainPoint; head: bigint };

export interface VerifyOptions {
  /** Where an earlier pass stopped. */
  from?: ChainPoint;
  /** Milliseconds after which a pass stops between two batches; without it the pass runs to the head. */
  budgetMs?: number;
}

/** Events per statement: some hundred kilobytes, a few milliseconds. */
const BATCH = 1_000;

/**
 * Recomputes every event from its exported text up to the head as it stands at the start, and compares the head. Finds
 * changed, removed, reordered, added and cut-off events. A log that was rewritten whole, head included, passes: only a
 * checkpoint kept outside the database shows that.
 */
export async function verifyChain(database: Queryable, options: VerifyOptions = {}): Promise<Verification> {
  const { head, last } = await readHead(database);
  const goal = head?.number ?? last;
  const startedAt = performance.now();
  let point = options.from ?? CHAIN_START;
  // A pass from the start also looks below 1.
  let after: bigint | null = point.number === 0n ? null : point.number;
  while (point.number < goal || after === null) {
    if (options.budgetMs !== undefined && performance.now() - startedAt > options.budgetMs) {
      return { kind: 'partial', reached: point, head: goal };
    }
    const records = await readRecords(database, after, BATCH);
    for (const record of records) {
      // Appended since the head was read: the next pass takes it.
      if (BigInt(record.number) > goal) break;
      const step = followChain(point, record);
      if (!step.ok) return { kind: 'broken', fault: step.fault };
      point = step.point;
    }
    after = point.number;
    if (records.length < BATCH) break;
  }
  const fault = judgeHead(point, head, last);
  return fault ? { kind: 'broken', fault } : { kind: 'verified', upTo: point.number };
}
