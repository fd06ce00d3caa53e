import type { FinalRefusal } from '../client/effect-errors';
import { codeFault, resultFaults } from '../client/read-result';
import { ReportFault, type Fault } from '../client/report-fault';
import { tidy } from '../client/report-outcome';
import type { EffectResult } from '../client/types';
import type { Execution, StoredResponse } from '../client/wire';
import { ProblemError } from '../http/problem';
import { storableResponse } from '../http/stored-response';
import type { ReportAnswer } from '../protocol';
import type { Sql } from './database';
import { foundEnded } from './transaction-end';

// Each report is made in the claim's transaction or not at all: in any other one `where` leaves no row and runs nothing.

/** Records the result in the same transaction as the change. The ledger may not believe it: the state tells. */
export async function complete(
  sql: Sql,
  transactionId: string,
  claimed: Execution,
  result: EffectResult,
): Promise<Execution> {
  requireStorable(resultFaults(result), 'result');
  const { status, headers, bodyText } = stored(result.response);
  return accepted(
    await sql<{ answer: ReportAnswer }>`select ledger.complete(
      execution_id => ${claimed.executionId}::uuid, fencing_token => ${claimed.fencingToken}::bigint,
      result_id => ${result.resultId ?? null}::text, result_url => ${result.resultUrl ?? null}::text,
      target_system => ${result.target?.system ?? null}::text, target_account => ${result.target?.account ?? null}::text,
      response_status => ${status}::integer, response_headers => ${headers}::jsonb,
      response_body => ${bodyText}::text) as answer
      where pg_current_xact_id_if_assigned()::text = ${transactionId}::text`,
  );
}

/** Records a final refusal with its answer. */
export async function failFinally(
  sql: Sql,
  transactionId: string,
  claimed: Execution,
  refusal: FinalRefusal,
): Promise<Execution> {
  const why = codeFault(refusal.code);
  requireStorable(why === null ? [] : [{ member: 'code', why }], 'refusal');
  const { status, headers, bodyText } = stored(refusal.response);
  return accepted(
    await sql<{ answer: ReportAnswer }>`select ledger.fail(
      execution_id => ${claimed.executionId}::uuid, fencing_token => ${claimed.fencingToken}::bigint,
      retryable => false, code => ${refusal.code}::text, message => ${tidy(refusal.message)}::text,
      response_status => ${status}::integer, response_headers => ${headers}::jsonb,
      response_body => ${bodyText}::text) as answer
      where pg_current_xact_id_if_assigned()::text = ${transactionId}::text`,
  );
}

/** The claim's lock is ours until the end of the transaction, so nothing but a mistake can refuse the report. */
function accepted(rows: readonly { answer: ReportAnswer }[]): Execution {
  if (rows.length === 0) throw foundEnded();
  const answer = rows[0]?.answer;
  if (answer?.code !== null || answer.execution === undefined)
    throw new Error(`bug: the ledger refused the report: ${answer?.code} ${answer?.detail ?? ''}`);
  return answer.execution;
}

/** A mistake in the program; thrown, so that nothing of the run remains. */
function requireStorable(faults: readonly Fault[], name: string): void {
  if (faults.length > 0)
    throw new TypeError(`the ${name} cannot be stored: ${new ReportFault(faults).message}`);
}

/** An answer that could not be replayed is a mistake in the program; thrown, so that nothing of the run remains. */
function stored(response: StoredResponse | undefined) {
  if (response === undefined) return { status: null, headers: null, bodyText: null };
  try {
    const slice = response.body === undefined ? undefined : JSON.stringify(response.body);
    const answer = storableResponse(response, slice);
    return { ...answer, headers: JSON.stringify(answer.headers) };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new TypeError(`the response cannot be stored: ${error.message}`, { cause: error });
  }
}
