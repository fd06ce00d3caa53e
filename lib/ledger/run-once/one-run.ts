import { FinalRefusal } from '../client/effect-errors';
import type { EffectResult } from '../client/types';
import type { Execution } from '../client/wire';
import { claim, isOurs, type Arrival } from './arrival';
import type { Bounds, OpenTransaction, Sql } from './database';
import { judgeClaim } from './judge-claim';
import { complete, failFinally } from './settle';
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
  await limit(sql, bounds);
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
  await sql`savepoint before_the_change`;
  let result: Result;
  try {
    result = await run((tx) => work(tx, context));
  } catch (error) {
    if (!(error instanceof FinalRefusal)) throw error;
    await sql`rollback to savepoint before_the_change`;
    const failed = await failFinally(sql, execution, error);
    return { kind: 'FAILED', execution: failed, retryable: false, refusal: error };
  }
  return completed(await complete(sql, execution, result), result);
}

function completed<Result extends EffectResult>(
  execution: Execution,
  result: Result,
): RunOnceOutcome<Result> {
  if (execution.state === 'SUCCEEDED') return { kind: 'COMPLETED', execution, result };
  const message = 'the ledger does not believe the result and keeps it as unknown';
  return { kind: 'IN_DOUBT', executionId: execution.executionId, execution, message };
}

/** The server's own limits, so that a lost client leaves no lock behind; transaction_timeout exists from PostgreSQL 17 on. */
async function limit(sql: Sql, bounds: Bounds): Promise<void> {
  const left = String(Math.max(1, Math.ceil(bounds.msLeft())));
  await sql`select set_config('lock_timeout', ${left}::text, true), set_config('statement_timeout', ${left}::text, true),
    set_config('idle_in_transaction_session_timeout', ${left}::text, true),
    case when current_setting('server_version_num')::integer >= 170000
      then set_config('transaction_timeout', ${left}::text, true) end`;
}
