import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Pool } from '@/lib/db/pool';
import { transaction, type Transaction, type TransactionContext } from '@/lib/db/transaction';
import { nextLookup, type NextLookup } from '@/lib/domain/lookup-schedule';
import { askConnector, type AskedLookup, type Asking } from './ask-connector';
import { getLookupSubject } from './lookup-subject';
import { limitsOf, takeSlot, turnOf, type ConnectorLimits } from './connector-slot';
import { recordLookup } from './record-lookup';

/** Payload of the job `lookup`. Enqueued by the database when an exception opens or changes its kind, and by itself. */
const jobSchema = z.strictObject({
  exceptionId: z.uuid(),
  reason: z.string().max(100),
  /** The connector's rate was already booked for this run. */
  slotTaken: z.boolean().default(false),
});

/** A person had every member of an incident looked up. */
const ASKED_FOR = 'incident';

/** What became of one run, for logs and tests. */
export type AutomaticLookup =
  | { done: 'ASKED'; lookupId: string; next: NextLookup }
  | { done: 'WAITS'; waitMs: number }
  | { done: 'NOTHING_TO_DO' };

interface Due {
  execution_id: string | null;
  made: number;
  made_since_horizon: number;
}

// Automatic lookups count per execution version: evidence about an earlier one is not evidence any more.
const DUE = `
  SELECT x.execution_id, l.made, l.made_since_horizon
    FROM review.exceptions x
    LEFT JOIN ledger.executions e ON e.execution_id = x.execution_id
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS made, count(*) FILTER (WHERE l.checked_at >= l.usable_from)::integer AS made_since_horizon
        FROM review.lookups l
       WHERE l.exception_id = x.exception_id AND l.execution_version = e.version AND l.automatic) l
   WHERE x.exception_id = $1 AND x.state = 'OPEN'`;

/** Milliseconds; longer waits for the connector's rate go back into the queue, so that others can run. */
const WAIT_HERE_MS = 500;
const LONGEST_QUEUE_MS = 86_400_000;
/** Milliseconds for the turns of a list's further pages; its place is held meanwhile. */
const PAGES_MS = 20_000;

/**
 * One automatic lookup of an open exception, with the next one planned in the same transaction as its record, so a
 * killed worker neither forgets nor repeats. Asks outside any transaction.
 * Throws only when the database fails; the job library then tries again.
 */
export async function lookUpAutomatically(
  pool: Pool,
  how: Asking,
  payload: unknown,
  jobId: string,
): Promise<AutomaticLookup> {
  const job = jobSchema.safeParse(payload);
  if (!job.success) return { done: 'NOTHING_TO_DO' };
  const { exceptionId, reason, slotTaken } = job.data;
  const { rows } = await pool.query<Due>(DUE, [exceptionId]);
  const due = rows[0];
  if (due === undefined || due.execution_id === null) return { done: 'NOTHING_TO_DO' };
  const planned = await getLookupSubject(pool, due.execution_id);
  if (planned?.connector == null) return { done: 'NOTHING_TO_DO' };
  const limits = limitsOf(planned.connector.recipe);
  // Whoever has a whole incident looked up asks although the automatic tries are used up.
  if (due.made >= limits.attempts && reason !== ASKED_FOR) return { done: 'NOTHING_TO_DO' };

  const context: TransactionContext = {
    actor: { kind: 'system', id: 'system:worker' },
    requestId: `job:${jobId}`,
    sourceAddress: null,
  };
  const waitMs = slotTaken ? 0 : await takeTurn(pool, planned.connector.connectorId, limits.ratePerSecond);
  if (waitMs > WAIT_HERE_MS) return waitElsewhere(pool, context, { exceptionId, reason }, waitMs);
  await pause(waitMs);
  const executionId = due.execution_id;
  const { connectorId } = planned.connector;
  const asked = await how.places.use(connectorId, () => askNow(pool, how, executionId), isSilence);
  if (asked === null) {
    const aboutMs = how.places.waitFor(connectorId) * (0.5 + Math.random());
    return waitElsewhere(pool, context, { exceptionId, reason }, aboutMs);
  }
  if (asked === 'GONE') return { done: 'NOTHING_TO_DO' };
  return transaction(pool, context, (tx) => keepAndPlan(tx, asked, exceptionId, due, limits));
}

async function takeTurn(pool: Pool, connectorId: string, ratePerSecond: number): Promise<number> {
  return (await takeSlot(pool, connectorId, ratePerSecond, LONGEST_QUEUE_MS)) ?? LONGEST_QUEUE_MS;
}

/** Back into the queue, with the turn kept, so that lookups of other systems can run. */
async function waitElsewhere(
  pool: Pool,
  context: TransactionContext,
  asked: { exceptionId: string; reason: string },
  waitMs: number,
): Promise<AutomaticLookup> {
  const again = { ...asked, slotTaken: true };
  await transaction(pool, context, (tx) => enqueue(tx, again, waitMs));
  return { done: 'WAITS', waitMs };
}

/** Reads again: the question must be about the execution as it is now, and the clock of the evidence starts here. */
async function askNow(pool: Pool, how: Asking, executionId: string): Promise<AskedLookup | 'GONE'> {
  const subject = await getLookupSubject(pool, executionId);
  if (subject?.connector == null) return 'GONE';
  return askConnector(subject, subject.connector, how, turnOf(pool, subject.connector, PAGES_MS));
}

const isSilence = (asked: AskedLookup | 'GONE') =>
  asked !== 'GONE' && asked.finding.errorClass === 'UNREACHABLE';

async function keepAndPlan(
  tx: Transaction,
  asked: AskedLookup,
  exceptionId: string,
  due: Due,
  limits: ConnectorLimits,
): Promise<AutomaticLookup> {
  const { rows } = await tx.query<{ now: Date; version: string; is_open: boolean }>(
    `SELECT ledger.clock() AS now, e.version::text AS version, x.state = 'OPEN' AS is_open
       FROM review.exceptions x JOIN ledger.executions e ON e.execution_id = x.execution_id
      WHERE x.exception_id = $1`,
    [exceptionId],
  );
  const present = rows[0];
  if (present === undefined) throw new Error(`bug: exception ${exceptionId} is gone`);
  const next = plan(asked, due, limits, present);
  const lookupId = await recordLookup(tx, asked, {
    exceptionId,
    nextCheckAt: next.again ? next.at : null,
    ending: next.again ? null : next.because,
  });
  if (next.again && present.is_open) {
    await enqueue(
      tx,
      { exceptionId, reason: 'again', slotTaken: false },
      next.at.getTime() - present.now.getTime(),
    );
  }
  return { done: 'ASKED', lookupId, next };
}

function plan(
  asked: AskedLookup,
  due: Due,
  limits: ConnectorLimits,
  present: { now: Date; version: string },
): NextLookup {
  // The execution moved while we asked: this evidence is about what it was, so ask about what it is.
  if (present.version !== asked.subject.executionVersion) return { again: true, at: present.now };
  const { askedAt } = asked.subject;
  return nextLookup(
    {
      finding: asked.finding,
      verdict: asked.verdict,
      askedAt,
      made: due.made + 1,
      madeSinceHorizon: due.made_since_horizon + (askedAt < asked.horizon.usableFrom ? 0 : 1),
      retryAfterSeconds: asked.retryAfterSeconds,
    },
    asked.horizon,
    asked.connector === null ? { ...limits, attempts: 1 } : limits,
    present.now,
    Math.random(),
  );
}

/** One waiting job per exception: a later plan replaces an earlier one. */
async function enqueue(tx: Transaction, payload: z.infer<typeof jobSchema>, delayMs: number): Promise<void> {
  await tx.query(
    `SELECT review.enqueue('lookup', $1::jsonb, $2, clock_timestamp() + make_interval(secs => $3::double precision / 1000))`,
    [JSON.stringify(payload), `lookup:${payload.exceptionId}`, Math.max(0, delayMs)],
  );
}
