// One record of the ledger as its callers know it: what each answer says about the record before and after the call.
import type { HistoryEvent } from './history-event';

export interface RecordState {
  readonly phase: 'NONE' | 'PROCESSING' | 'FAILED_RETRYABLE' | 'UNKNOWN' | 'SUCCEEDED' | 'FAILED_FINAL';
  readonly token: number;
  readonly started: boolean;
  readonly result: string | null;
}

export const NOTHING: RecordState = { phase: 'NONE', token: 0, started: false, result: null };

/** Whether a call with this answer happened is not known: the ledger may have been out of reach before or after. */
const MAYBE = ['DATABASE_UNAVAILABLE', 'INTERNAL_ERROR', 'RETRY_DEADLINE_EXCEEDED', 'RETRY_LIMIT_REACHED'];

export const isUncertain = (event: HistoryEvent): boolean =>
  event.returnedAt === null || MAYBE.includes(event.code ?? '');

/** Every state that the record can be in after the call, if it was in `before`; none when the answer is impossible. */
export function after(before: RecordState, event: HistoryEvent): RecordState[] {
  // The sweep may have called a started effect unknown at any time; nobody is told.
  const swept: RecordState[] =
    before.phase === 'PROCESSING' && before.started ? [{ ...before, phase: 'UNKNOWN' }] : [];
  return [before, ...swept].flatMap((state) =>
    isUncertain(event)
      ? changes(state, event)
      : event.call === 'claim'
        ? claimed(state, event)
        : reported(state, event),
  );
}

const CHANGING_ANSWERS: readonly unknown[] = [
  'CLAIMED',
  'RETRY_SAME_KEY',
  'SAME_ATTEMPT',
  'EXECUTION_FAILED_FINAL',
];

/** Whether the answer leaves any record as it is, and is true of this one. */
export function onlyLooks(state: RecordState, event: HistoryEvent): boolean {
  if (isUncertain(event)) return false;
  const looks =
    event.call === 'claim'
      ? event.state !== 'FAILED_FINAL' && !CHANGING_ANSWERS.includes(event.code ?? event.disposition)
      : event.call !== 'complete' && event.code != null;
  return looks && (event.call === 'claim' ? claimed(state, event) : reported(state, event)).length > 0;
}

const isFree = ({ phase, started }: RecordState) =>
  phase === 'NONE' || phase === 'FAILED_RETRYABLE' || (phase === 'PROCESSING' && !started);
const owned = (token: number): RecordState => ({ phase: 'PROCESSING', token, started: false, result: null });
const when = (possible: boolean, ...states: RecordState[]) => (possible ? states : []);

function claimed(
  state: RecordState,
  { disposition, code, token, resultId, state: shown }: HistoryEvent,
): RecordState[] {
  const { phase } = state;
  if (code === 'EXECUTION_FAILED_FINAL' || shown === 'FAILED_FINAL')
    // Cancelling is no call of the history; it needs an effect that has not begun.
    return phase === 'FAILED_FINAL' ? [state] : when(isFree(state), { ...state, phase: 'FAILED_FINAL' });
  switch (code ?? disposition) {
    case 'CLAIMED':
      return when(
        isFree(state) && phase !== 'FAILED_RETRYABLE' && Number(token) === state.token + 1,
        owned(Number(token)),
      );
    case 'RETRY_SAME_KEY':
      return when(phase === 'FAILED_RETRYABLE' && Number(token) === state.token + 1, owned(Number(token)));
    case 'SAME_ATTEMPT':
      // Also the answer to a first call: the server repeats a claim whose COMMIT was not answered, within the one call.
      return [
        ...when(phase === 'PROCESSING' && Number(token) === state.token, state),
        ...when(isFree(state) && Number(token) === state.token + 1, owned(Number(token))),
      ];
    case 'RESULT_REUSED':
      return when(phase === 'SUCCEEDED' && (resultId == null || resultId === state.result), state);
    case 'REQUEST_IN_PROGRESS':
      return when(phase === 'PROCESSING', state);
    case 'RECONCILE_REQUIRED':
    case 'IDEMPOTENCY_KEY_REUSED':
      return when(phase !== 'NONE', state);
    default:
      return [state];
  }
}

function reported(state: RecordState, event: HistoryEvent): RecordState[] {
  const token = Number(event.token);
  const isPresent = token === state.token;
  switch (event.code ?? null) {
    case null:
      return when(isPresent, state).flatMap((present) => accepted(present, event));
    case 'FENCED':
      // A success that comes late contradicts "failed without effect": the record is in doubt from then on.
      if (event.call === 'complete' && state.phase === 'FAILED_RETRYABLE') return doubts(state);
      return when(!isPresent || state.phase === 'UNKNOWN', state);
    case 'INVALID_STATE':
      // So does one after the owner's own failure.
      if (event.call === 'complete' && state.phase === 'FAILED_RETRYABLE') return doubts(state);
      return when(state.phase !== 'PROCESSING' || !state.started, state);
    case 'RESULT_CONFLICT':
      return when(state.phase === 'SUCCEEDED' || state.phase === 'UNKNOWN', state);
    default:
      return [state];
  }
}

const doubts = (state: RecordState): RecordState[] => [
  state,
  { ...state, phase: 'UNKNOWN' },
  { ...state, phase: 'UNKNOWN', token: state.token + 1 },
];

function accepted(state: RecordState, { call, state: shown, resultId = null }: HistoryEvent): RecordState[] {
  const { phase, result } = state;
  if (call === 'effect_started') return when(phase === 'PROCESSING', { ...state, started: true });
  if (shown === 'SUCCEEDED' && call === 'complete')
    return phase === 'SUCCEEDED'
      ? when(result === resultId, state)
      : when(phase === 'PROCESSING' || phase === 'UNKNOWN', {
          ...state,
          phase: 'SUCCEEDED',
          result: resultId,
        });
  if (shown !== 'FAILED_FINAL' && shown !== 'FAILED_RETRYABLE' && shown !== 'UNKNOWN') return [];
  return when(phase === 'PROCESSING' || phase === shown, { ...state, phase: shown });
}

/** What a call may have changed whose answer did not come; not the states in which it changed nothing. */
function changes(state: RecordState, { call, token, resultId = null }: HistoryEvent): RecordState[] {
  const { phase } = state;
  if (call === 'claim') return when(isFree(state), owned(state.token + 1));
  if (call === 'complete' && phase === 'FAILED_RETRYABLE') return doubts(state).slice(1);
  if (Number(token) !== state.token) return [];
  const unknown: RecordState = { ...state, phase: 'UNKNOWN' };
  if (call === 'complete')
    return when(
      phase === 'PROCESSING' || phase === 'UNKNOWN',
      { ...state, phase: 'SUCCEEDED', result: resultId },
      unknown,
    );
  if (phase !== 'PROCESSING') return [];
  if (call === 'effect_started') return when(!state.started, { ...state, started: true });
  if (call === 'unknown') return [unknown];
  return [unknown, { ...state, phase: 'FAILED_RETRYABLE' }, { ...state, phase: 'FAILED_FINAL' }];
}
