import { sqlstateOf } from '@/lib/db/sqlstate';
import { newAttemptId } from '../client/attempt-id';
import { FinalRefusal } from '../client/effect-errors';
import type { EffectResult } from '../client/types';
import type { Execution } from '../client/wire';
import { claim, isOurs, type Arrival } from './arrival';
import { made, type Bounds, type OpenTransaction, type Sql } from './database';
import { judgeClaim } from './judge-claim';
import { complete, failFinally } from './settle';
import { foundEnded } from './transaction-end';
import type { RunOnceOutcome, RunOnceWork } from './types';

export interface Run<Tx, Result extends EffectResult> {
  readonly arrival: Arrival;
  readonly work: RunOnceWork<Tx, Result>;
  readonly signal: AbortSignal;
  /** What an earlier run would have answered, had its COMMIT been answered. */
  readonly unanswered: RunOnceOutcome<Result> | null;
  /** Asked before the work; throws when there may be no more. */
  readonly beforeWork: () => void;
}

/** What happens inside one transaction: claim, savepoint, change, result. */
export async function oneRun<Tx, Result extends EffectResult>(
  { sql, run }: OpenTransaction<Tx>,
  bounds: Bounds,
  { arrival, work, signal, unanswered, beforeWork }: Run<Tx, Result>,
): Promise<RunOnceOutcome<Result>> {
  const transactionId = await begin(sql, bounds);
  const judged = judgeClaim(await claim(sql, arrival));
  if (!judged.claimed) {
    const arrived = unanswered !== null && judged.executionId !== null;
    return arrived && (await isOurs(sql, judged.executionId, arrival)) ? unanswered : judged.outcome;
  }
  beforeWork();
  const { execution } = judged;
  const { executionId, attempt, fencingToken } = execution;
  const context = {
    executionId,
    key: arrival.key,
    attempt,
    attemptId: arrival.attemptId,
    fencingToken,
    signal,
  };
  // Nobody can guess it, so no savepoint of the work's own lies over it.
  const savepoint = `before_the_change_${newAttemptId().replaceAll('-', '_')}`;
  await sql(made(`savepoint ${savepoint}`));
  let result: Result;
  try {
    result = await run((tx) => work(tx, context));
  } catch (error) {
    if (!(error instanceof FinalRefusal)) throw error;
    await rollbackTo(sql, savepoint);
    return refused(await failFinally(sql, transactionId, execution, error), error);
  }
  return completed(await complete(sql, transactionId, execution, result), result);
}

/** PostgreSQL's words for a savepoint that is not there, and for no transaction at all. */
const ENDED: readonly (string | undefined)[] = ['3B001', '25P01'];

async function rollbackTo(sql: Sql, savepoint: string): Promise<void> {
  try {
    await sql(made(`rollback to savepoint ${savepoint}`));
  } catch (error) {
    throw ENDED.includes(sqlstateOf(error)) ? foundEnded(error) : error;
  }
}

/** The operation's table of codes outranks the work (R-037c), so what the ledger recorded is the answer. */
function refused<Result extends EffectResult>(
  execution: Execution,
  refusal: FinalRefusal,
): RunOnceOutcome<Result> {
  const { state } = execution;
  if (state === 'FAILED_FINAL' || state === 'FAILED_RETRYABLE')
    return { kind: 'FAILED', execution, retryable: state === 'FAILED_RETRYABLE', refusal };
  return inDoubt(execution, 'the ledger does not believe the refusal and keeps it as unknown');
}

function completed<Result extends EffectResult>(
  execution: Execution,
  result: Result,
): RunOnceOutcome<Result> {
  if (execution.state === 'SUCCEEDED') return { kind: 'COMPLETED', execution, result };
  return inDoubt(execution, 'the ledger does not believe the result and keeps it as unknown');
}

function inDoubt(execution: Execution, message: string) {
  return { kind: 'IN_DOUBT', executionId: execution.executionId, execution, message } as const;
}

/**
 * Sets the server's own limits, so that a lost client leaves no lock behind; transaction_timeout exists from PostgreSQL
 * 17 on. Answers the number of the transaction, by which its end is seen to belong to its beginning.
 */
async function begin(sql: Sql, bounds: Bounds): Promise<string> {
  const left = String(Math.max(1, Math.ceil(bounds.msLeft())));
  const [row] = await sql<{ id: string }>`select pg_current_xact_id()::text as id,
    set_config('lock_timeout', ${left}::text, true), set_config('statement_timeout', ${left}::text, true),
    set_config('idle_in_transaction_session_timeout', ${left}::text, true),
    case when current_setting('server_version_num')::integer >= 170000
      then set_config('transaction_timeout', ${left}::text, true) end`;
  if (row === undefined) throw new Error('bug: no number of the transaction');
  return row.id;
}
