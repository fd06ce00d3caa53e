import { z } from 'zod';
import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import { askConnector, type Asking } from '@/lib/lookup/ask-connector';
import { turnOf } from '@/lib/lookup/connector-slot';
import { getLookupSubject } from '@/lib/lookup/lookup-subject';
import { recordLookup } from '@/lib/lookup/record-lookup';

/** Payload of the job `execute-reissue`, enqueued with the last approval. `tries` counts the waits so far. */
const jobSchema = z.strictObject({ requestId: z.uuid(), tries: z.int().min(0).default(0) });

/** What became of one run, for logs and tests. */
export type ReissueRun =
  | { done: 'EXECUTED'; newExecutionId: string }
  | { done: 'ENDED'; state: string }
  | { done: 'WAITS'; seconds: number }
  | { done: 'NOTHING_TO_DO' };

interface SqlAnswer {
  outcome: 'done' | 'waiting' | 'ended';
  state?: string;
  newExecutionId?: string;
}

/** Seconds before the outside system is asked again; doubles from the first to the last. The request's own end limits it. */
const FIRST_WAIT = 5;
const LONGEST_WAIT = 120;

const REQUEST = `
  select r.execution_id, r.exception_id, r.state, p.connector_id is not null as has_connector
  from review.approval_requests r cross join lateral ledger.policy_for(r.tenant_id, r.operation) p where r.request_id = $1::uuid`;

/**
 * Carries an approved reissue out: looks once more, outside any transaction, then makes the key in one
 * transaction. While the outside system is silent it waits, until the approval ends. Run twice it makes one key.
 */
export async function executeReissue(
  pool: Pool,
  how: Asking,
  payload: unknown,
  jobId: string,
): Promise<ReissueRun> {
  const job = jobSchema.safeParse(payload);
  if (!job.success) return { done: 'NOTHING_TO_DO' };
  const { requestId, tries } = job.data;
  const context: TransactionContext = {
    actor: { kind: 'system', id: 'system:worker' },
    requestId: `job:${jobId}`,
    sourceAddress: null,
  };
  const { rows } = await pool.query<{
    execution_id: string;
    exception_id: string;
    state: string;
    has_connector: boolean;
  }>(REQUEST, [requestId]);
  const request = rows[0];
  if (request === undefined || request.state !== 'APPROVED') return { done: 'NOTHING_TO_DO' };
  const lookupId = request.has_connector
    ? await lookOnceMore(pool, how, context, request.execution_id, request.exception_id)
    : null;
  return transaction(pool, context, async (tx) => {
    const { rows: answers } = await tx.query<{ answer: SqlAnswer }>(
      'select review.execute_reissue($1::uuid, $2::uuid) as answer',
      [requestId, lookupId],
    );
    const answer = answers[0]?.answer;
    if (answer === undefined) throw new Error('bug: execute_reissue answered nothing');
    if (answer.outcome === 'done') return { done: 'EXECUTED', newExecutionId: answer.newExecutionId ?? '' };
    if (answer.outcome === 'ended') return { done: 'ENDED', state: answer.state ?? '' };
    const seconds = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries);
    await tx.query(
      `select review.enqueue('execute-reissue', $1::jsonb, $2, clock_timestamp() + make_interval(secs => $3::double precision))`,
      [JSON.stringify({ requestId, tries: tries + 1 }), `execute-reissue:${requestId}`, seconds],
    );
    return { done: 'WAITS', seconds };
  });
}

/** Milliseconds for the turns of a list's further pages. */
const PAGES_MS = 20_000;

async function lookOnceMore(
  pool: Pool,
  how: Asking,
  context: TransactionContext,
  executionId: string,
  exceptionId: string,
): Promise<string | null> {
  const subject = await getLookupSubject(pool, executionId);
  if (subject?.connector == null) return null;
  const asked = await askConnector(
    subject,
    subject.connector,
    how,
    turnOf(pool, subject.connector, PAGES_MS),
  );
  return transaction(pool, context, (tx) =>
    recordLookup(tx, asked, { exceptionId, nextCheckAt: null, ending: null }),
  );
}
