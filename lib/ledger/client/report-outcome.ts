import { notJson } from '../../domain/json-value';
import { EffectError, EffectInDoubt, FinalRefusal, NotSent, ProviderTransient } from './effect-errors';
import type { Answer, CallOptions, Claimed, EffectResult, LedgerClient, OnceOutcome } from './types';
import type { Execution, StoredResponse } from './wire';

/** Milliseconds between two tries to store what has happened already. */
const LONGEST_PAUSE = 5_000;

/** Reports until the deadline: the effect is done, so giving up early is what would lose it (B-26). */
export function storeOptions(deadlineMs: number): CallOptions {
  return { retry: { deadlineMs, maxAttempts: Number.MAX_SAFE_INTEGER, maxDelayMs: LONGEST_PAUSE } };
}

export async function reportSuccess(
  client: LedgerClient,
  claim: Claimed,
  result: EffectResult,
  options: CallOptions,
): Promise<OnceOutcome> {
  const { fencingToken, executionId } = claim;
  const { response, ...facts } = result;
  const storable = response !== undefined && isStorable(response);
  let answer = await client.complete(
    executionId,
    { fencingToken, ...facts, ...(storable ? { response } : {}) },
    options,
  );
  let responseStored = storable || response === undefined;
  // An answer that the ledger will not keep must not cost us the result.
  if (storable && isFormRefusal(answer)) {
    responseStored = false;
    answer = await client.complete(executionId, { fencingToken, ...facts }, options);
  }
  if (isFormRefusal(answer)) {
    const message = `the result could not be stored: ${answer.problem.detail}`;
    return reportDoubt(client, claim, 'RESULT_NOT_STORABLE', message, options);
  }
  if (answer.kind === 'OK' && answer.value.state === 'SUCCEEDED')
    return { kind: 'COMPLETED', execution: answer.value, responseStored };
  return settledElsewhere(client, claim, answer, true);
}

export async function reportFailure(
  client: LedgerClient,
  claim: Claimed,
  error: unknown,
  options: CallOptions,
): Promise<OnceOutcome> {
  const { fencingToken, executionId } = claim;
  if (error instanceof FinalRefusal) {
    const failure = { fencingToken, retryable: false, code: error.code, message: tidy(error.message) };
    const response = error.response !== undefined && isStorable(error.response) ? error.response : undefined;
    let answer = await client.fail(executionId, { ...failure, response }, options);
    if (response !== undefined && isFormRefusal(answer))
      answer = await client.fail(executionId, failure, options);
    return failed(client, claim, answer);
  }
  if (error instanceof NotSent || error instanceof ProviderTransient) {
    const basis = error instanceof NotSent ? 'NOT_SENT' : 'PROVIDER_TRANSIENT';
    const failure = {
      fencingToken,
      retryable: true,
      basis,
      code: error.code,
      message: tidy(error.message),
    } as const;
    return failed(client, claim, await client.fail(executionId, failure, options));
  }
  const code = error instanceof EffectInDoubt || error instanceof EffectError ? error.code : codeOf(error);
  return reportDoubt(
    client,
    claim,
    code,
    error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    options,
  );
}

/** "I do not know" is a report of its own: the effect may exist, and nobody may run it again by guess. */
export async function reportDoubt(
  client: LedgerClient,
  claim: Claimed,
  code: string,
  message: string,
  options: CallOptions,
): Promise<OnceOutcome> {
  const answer = await client.reportUnknown(
    claim.executionId,
    { fencingToken: claim.fencingToken, code, message: tidy(message) },
    options,
  );
  return settledElsewhere(client, claim, answer, true, message);
}

function failed(client: LedgerClient, claim: Claimed, answer: Answer<Execution>): OnceOutcome {
  if (
    answer.kind === 'OK' &&
    (answer.value.state === 'FAILED_FINAL' || answer.value.state === 'FAILED_RETRYABLE')
  ) {
    return { kind: 'FAILED', execution: answer.value, retryable: answer.value.state === 'FAILED_RETRYABLE' };
  }
  return settledElsewhere(client, claim, answer, true);
}

/** Everything that is neither success nor failure: fenced, in doubt, or not even reported. */
export function settledElsewhere(
  client: LedgerClient,
  claim: Claimed,
  answer: Answer<Execution>,
  effectRan: boolean,
  message?: string,
): OnceOutcome {
  const { executionId } = claim;
  if (answer.kind === 'REFUSED' && answer.code === 'FENCED')
    return { kind: 'FENCED', executionId, effectRan };
  const execution = answer.kind === 'OK' ? answer.value : null;
  const why =
    answer.kind === 'OK'
      ? 'the ledger keeps it as unknown'
      : answer.kind === 'REFUSED'
        ? answer.problem.detail
        : answer.message;
  return {
    kind: 'IN_DOUBT',
    executionId,
    execution,
    statusUrl: client.statusUrl(executionId),
    message: message ?? why,
  };
}

function isFormRefusal(answer: Answer<Execution>): answer is Extract<Answer<Execution>, { kind: 'REFUSED' }> {
  return (
    answer.kind === 'REFUSED' &&
    (answer.code === 'UNPROCESSABLE' ||
      answer.code === 'INVALID_REQUEST' ||
      answer.code === 'PAYLOAD_TOO_LARGE')
  );
}

function isStorable(response: StoredResponse): boolean {
  return response.body === undefined || notJson(response.body) === null;
}

/** What the report may hold: the ledger takes text without control characters, and not a whole page of it. */
export function tidy(message: string): string {
  return message.replace(/[^\P{Cc}\t\n\r]|\p{Surrogate}/gu, ' ').slice(0, 1000);
}

function codeOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError') return 'TIMED_OUT';
  if (name === 'AbortError' || name === 'LeaseLost') return 'ABORTED';
  return name === 'TypeError' ? 'CONNECTION_LOST' : 'EFFECT_THREW';
}
