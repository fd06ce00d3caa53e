import { EffectError, FinalRefusal, NotSent, ProviderTransient } from './effect-errors';
import { codeFault, readResult, responseFault } from './read-result';
import { faultOf, ReportFault, type Fault } from './report-fault';
import type { Answer, CallOptions, Claimed, EffectResult, LedgerClient, OnceOutcome } from './types';
import type { CompleteBody, Execution, Target } from './wire';

/** Milliseconds between two tries to store what has happened already. */
const LONGEST_PAUSE = 5_000;

/** Reports until the deadline: the effect is done, so giving up early is what would lose it (B-26). */
export function storeOptions(deadlineMs: number): CallOptions {
  return {
    persist: true,
    retry: { deadlineMs, maxAttempts: Number.MAX_SAFE_INTEGER, maxDelayMs: LONGEST_PAUSE },
  };
}

/** Reports what an effect returned, whatever that is: at least its result id, else doubt with what is known. */
export async function reportSuccess(
  client: LedgerClient,
  claim: Claimed,
  given: unknown,
  target: Target | undefined,
  options: CallOptions,
): Promise<OnceOutcome> {
  const { fencingToken, executionId } = claim;
  const { result, faults: found, tellsSuccess } = readResult(given, target);
  const faults = [...found];
  if (!tellsSuccess) return reportResultInDoubt(client, claim, result, faults, options);
  let answer: Answer<Execution> | undefined;
  for (const part of partsOf(result)) {
    const body: CompleteBody = { fencingToken, ...part };
    answer = await client.complete(executionId, body, options);
    if (!isFormRefusal(answer)) {
      const responseStored = part.response !== undefined || !isMember(given, 'response');
      if (answer.kind === 'OK' && answer.value.state === 'SUCCEEDED')
        return { kind: 'COMPLETED', execution: answer.value, responseStored, fault: faultOf(faults) };
      return { ...settledElsewhere(client, claim, answer, true), ...faultMember(faults) };
    }
    const member = part.response === undefined ? 'result' : 'response';
    faults.push({ member, why: `was refused: ${answer.problem.detail}` });
  }
  return reportResultInDoubt(client, claim, result, faults, options);
}

/** A result, and what is left of it when the ledger will not keep all: an answer or an address must not cost us its id. */
function* partsOf(result: EffectResult): Generator<EffectResult> {
  yield result;
  const { response, ...facts } = result;
  if (response !== undefined) yield facts;
  const { resultUrl, ...named } = facts;
  if (resultUrl !== undefined) yield named;
}

const isMember = (given: unknown, member: string): boolean =>
  typeof given === 'object' && given !== null && (given as Record<string, unknown>)[member] != null;

async function reportResultInDoubt(
  client: LedgerClient,
  claim: Claimed,
  result: EffectResult,
  faults: readonly Fault[],
  options: CallOptions,
): Promise<OnceOutcome> {
  const fault = new ReportFault(faults);
  const { resultId, resultUrl } = result;
  const known = [
    ...(resultId === undefined ? [] : [`resultId ${resultId}`]),
    ...(resultUrl === undefined ? [] : [resultUrl]),
  ];
  const message = [`the result could not be stored: ${fault.message}`, ...known].join('; ');
  return {
    ...(await reportDoubt(client, claim, 'RESULT_NOT_STORABLE', message, options)),
    ...faultMember(faults),
  };
}

/** In place of a code that cannot be stored. */
const UNUSABLE = 'CODE_UNUSABLE';

/** Reports what an effect threw. What cannot be stored as it is, is stored as far as it can be. */
export async function reportFailure(
  client: LedgerClient,
  claim: Claimed,
  error: unknown,
  options: CallOptions,
): Promise<OnceOutcome> {
  const { fencingToken, executionId } = claim;
  const faults: Fault[] = [];
  const text = textOf(error);
  const code = error instanceof EffectError ? usableCode(error.code, faults) : codeOf(error);
  const message = code === UNUSABLE ? `${text} (${faults[0]?.why})` : text;
  if (!(error instanceof FinalRefusal || error instanceof NotSent || error instanceof ProviderTransient)) {
    const doubt = await reportDoubt(client, claim, code, message, options);
    return { ...doubt, ...faultMember(faults) };
  }
  const failure =
    error instanceof FinalRefusal
      ? ({ fencingToken, retryable: false, code, message: tidy(message) } as const)
      : ({
          ...{ fencingToken, retryable: true, code, message: tidy(message) },
          basis: error instanceof NotSent ? 'NOT_SENT' : 'PROVIDER_TRANSIENT',
        } as const);
  const response = error instanceof FinalRefusal ? storable(error.response, faults) : undefined;
  let answer = await client.fail(executionId, { ...failure, response }, options);
  if (response !== undefined && isFormRefusal(answer)) {
    faults.push({ member: 'response', why: `was refused: ${answer.problem.detail}` });
    answer = await client.fail(executionId, failure, options);
  }
  if (isFormRefusal(answer)) return reportDoubt(client, claim, code, message, options);
  return { ...failed(client, claim, answer), ...faultMember(faults) };
}

function storable(response: FinalRefusal['response'], faults: Fault[]): FinalRefusal['response'] {
  if (response === undefined) return undefined;
  const why = responseFault(response);
  if (why === null) return response;
  faults.push({ member: 'response', why });
  return undefined;
}

function usableCode(code: string, faults: Fault[]): string {
  const why = codeFault(code);
  if (why === null) return code;
  faults.push({ member: 'code', why: `${why}: ${JSON.stringify(code)?.slice(0, 300)}` });
  return UNUSABLE;
}

/** "I do not know" is a report of its own: the effect may exist, and nobody may run it again by guess. */
export async function reportDoubt(
  client: LedgerClient,
  claim: Claimed,
  code: string,
  message: string,
  options: CallOptions,
): Promise<OnceOutcome> {
  const { fencingToken, executionId } = claim;
  const report = { fencingToken, code, message: tidy(message) };
  let answer = await client.reportUnknown(executionId, report, options);
  // Better the bare doubt than none.
  if (isFormRefusal(answer))
    answer = await client.reportUnknown(
      executionId,
      { fencingToken, code: 'IN_DOUBT', message: '' },
      options,
    );
  return settledElsewhere(client, claim, answer, true, message);
}

function failed(client: LedgerClient, claim: Claimed, answer: Answer<Execution>): OnceOutcome {
  if (
    answer.kind === 'OK' &&
    (answer.value.state === 'FAILED_FINAL' || answer.value.state === 'FAILED_RETRYABLE')
  ) {
    const retryable = answer.value.state === 'FAILED_RETRYABLE';
    return { kind: 'FAILED', execution: answer.value, retryable, fault: null };
  }
  return settledElsewhere(client, claim, answer, true);
}

/** Everything that is neither success nor failure: fenced, in doubt, or not even reported. */
function settledElsewhere(
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
    fault: null,
  };
}

const faultMember = (faults: readonly Fault[]): { fault?: ReportFault } =>
  faults.length === 0 ? {} : { fault: new ReportFault(faults) };

function isFormRefusal(answer: Answer<Execution>): answer is Extract<Answer<Execution>, { kind: 'REFUSED' }> {
  return (
    answer.kind === 'REFUSED' &&
    (answer.code === 'UNPROCESSABLE' ||
      answer.code === 'INVALID_REQUEST' ||
      answer.code === 'PAYLOAD_TOO_LARGE')
  );
}

/** What the report may hold: the ledger takes text without control characters, and not a whole page of it. */
export function tidy(message: string): string {
  // Cut first: a cut between the halves of a character leaves one that no JSON may hold.
  return message.slice(0, 1000).replace(/[^\P{Cc}\t\n\r]|\p{Surrogate}/gu, ' ');
}

function textOf(error: unknown): string {
  try {
    if (error instanceof EffectError) return String(error.message);
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return 'what was thrown has no text';
  }
}

function codeOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError') return 'TIMED_OUT';
  if (name === 'AbortError' || name === 'LeaseLost') return 'ABORTED';
  return name === 'TypeError' ? 'CONNECTION_LOST' : 'EFFECT_THREW';
}
