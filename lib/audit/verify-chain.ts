import 'server-only';
import type { Queryable } from '@/lib/db/pool';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { readHead, readRecords } from './audit-records';
import { readRetirements } from './retirements';
import type { ArchivedEvents } from './verifier/archives.mjs';
import type { CheckpointTrail } from './verifier/checkpoint-trail.mjs';
import { TextLedger } from './verifier/texts.mjs';
import { Times } from './verifier/times.mjs';
import type { ChainPoint } from './verifier/follow-chain.mjs';
import { RetirementWitness } from './verifier/retirements.mjs';
import { verifyLog, type Verification } from './verifier/verify-log.mjs';

export interface VerifyOptions {
  /** What an earlier pass remembers; filled by this one. */
  memory?: ChainMemory;
  /** Milliseconds after which a pass stops between two batches; without it the pass runs to the head. */
  budgetMs?: number;
  /** Opens the checkpoints to hold the events against; called before the head is read, and again when a pass has to start over. */
  openTrail?: () => CheckpointTrail | null | Promise<CheckpointTrail | null>;
  /** Retired events to begin with. */
  archives?: ArchivedEvents;
}

/** What one pass over a log hands to the next. */
export class ChainMemory {
  reached: ChainPoint | null = null;
  texts = new TextLedger();
  witness: RetirementWitness | null = null;
  times = new Times();
}

/** Events per statement: some hundred kilobytes, a few milliseconds. */
const BATCH = 1_000;

/** Verifies the log of a database up to its head as it stands at the start. */
export async function verifyChain(database: Queryable, options: VerifyOptions = {}): Promise<Verification> {
  let memory = options.memory ?? new ChainMemory();
  for (;;) {
    const retirements = await readRetirements(database);
    if (memory.witness !== null && memory.witness.retirements.length !== retirements.length)
      Object.assign(memory, new ChainMemory());
    memory.witness ??= new RetirementWitness(retirements);
    const found = await onePass(database, options, memory.witness, memory);
    if (found.kind === 'partial') memory.reached = found.reached;
    if (found.kind !== 'broken') return found;
    // Events may have left under our hands; only a fault that stands still is one.
    const now = await readRetirements(database);
    if (now.length === retirements.length) return found;
    memory = Object.assign(memory, new ChainMemory());
  }
}

async function onePass(
  database: Queryable,
  { budgetMs, openTrail, archives }: VerifyOptions,
  witness: RetirementWitness,
  memory: ChainMemory,
): Promise<Verification> {
  const trail = (await openTrail?.()) ?? null;
  const startedAt = performance.now();
  const { head, last } = await readHead(database);
  const anchor = witness.anchor();
  const begin = archives?.begin(witness) ?? anchor;
  const from = memory.reached ?? begin;
  const live = readBatches(database, memory.reached ?? anchor, head?.number ?? last);
  const found = await verifyLog({
    batches: archives === undefined || memory.reached !== null ? live : joined(archives.batches(), live),
    head,
    last,
    trail,
    texts: memory.texts,
    witness,
    times: memory.times,
    isOver: () => budgetMs !== undefined && performance.now() - startedAt > budgetMs,
    ...(from ? { from } : {}),
  });
  const stray = found.kind === 'broken' || found.kind === 'partial' ? null : await strayText(database);
  if (stray !== null) return { kind: 'broken', fault: { number: stray, reason: 'TEXT' } };
  return found.kind === 'broken' || !begin || begin.number === 0n ? found : { ...found, after: begin.number };
}

/** The first number that a text is kept for and no event has: those of events are held against them one by one. */
async function strayText(database: Queryable): Promise<bigint | null> {
  const { rows } = await database.query<{ number: string | null }>(
    `select least((select min(t.event_number) from review.audit_texts t where t.event_number > h.last),
         (select min(t.event_number) from review.audit_texts t where t.event_number < h.first))::text as number
       from (select coalesce(max(number), 0) as last, coalesce(min(number), 0) as first from review.audit_events) h`,
  );
  const number = rows[0]?.number ?? null;
  return number === null ? null : BigInt(number);
}

async function* joined<T>(...parts: AsyncIterable<T>[]): AsyncGenerator<T> {
  for (const part of parts) yield* part;
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
