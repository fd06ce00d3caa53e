import 'server-only';
import type { Queryable } from '@/lib/db/pool';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { readHead, readRecords } from './audit-records';
import type { CheckpointTrail } from './verifier/checkpoint-trail.mjs';
import { TextLedger } from './verifier/texts.mjs';
import type { ChainPoint } from './verifier/follow-chain.mjs';
import { verifyLog, type Verification } from './verifier/verify-log.mjs';

export interface VerifyOptions {
  /** Where an earlier pass stopped. */
  from?: ChainPoint;
  /** Milliseconds after which a pass stops between two batches; without it the pass runs to the head. */
  budgetMs?: number;
  /** Checkpoints to hold the events against, all made before this call. */
  trail?: CheckpointTrail;
  /** What an earlier pass found of the texts; with `from` and without it, texts are not looked at. */
  texts?: TextLedger;
}

/** Events per statement: some hundred kilobytes, a few milliseconds. */
const BATCH = 1_000;

/** Verifies the log of a database up to its head as it stands at the start. */
export async function verifyChain(database: Queryable, options: VerifyOptions = {}): Promise<Verification> {
  const { from, budgetMs, trail = null } = options;
  const texts = options.texts ?? (from === undefined ? new TextLedger() : null);
  const startedAt = performance.now();
  const { head, last } = await readHead(database);
  return verifyLog({
    batches: readBatches(database, from ?? null, head?.number ?? last),
    head,
    last,
    trail,
    texts,
    isOver: () => budgetMs !== undefined && performance.now() - startedAt > budgetMs,
    ...(from ? { from } : {}),
  });
}

/** The events in batches, up to at least `goal`; without a point to begin after, from below 1. */
export async function* readBatches(
  database: Queryable,
  from: ChainPoint | null,
  goal: bigint,
): AsyncGenerator<AuditRecord[]> {
  let after = from?.number ?? null;
  while (after === null || after < goal) {
    const records = await readRecords(database, after, BATCH);
    yield records;
    const end = records.at(-1);
    if (records.length < BATCH || end === undefined) return;
    after = BigInt(end.number);
  }
}
