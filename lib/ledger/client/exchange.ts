import type { ClientClock, Unavailable } from './types';

/** One request as it is sent; sending it again sends exactly the same. */
export interface Sending {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether it may be sent again by itself: a keyless report never is, whatever was answered. */
  readonly repeatable: boolean;
  /** Whether the text of a success has the form of the call's answer. Default: whoever reads it decides. */
  readonly isAnswer?: (text: string) => boolean;
}

type Lost = {
  readonly kind: 'lost';
  readonly reason: Extract<
    Unavailable['reason'],
    'CONNECTION_LOST' | 'TIMED_OUT' | 'ABORTED' | 'ANSWER_TOO_LONG'
  >;
  readonly message: string;
};

/** What came of one send. `lost` says nothing about whether it arrived. */
export type Received =
  | { readonly kind: 'response'; readonly status: number; readonly headers: Headers; readonly text: string }
  | Lost;

/** Bytes. A stored answer has 1 MiB at most; the longest answer of the ledger is a page of 200 records. */
const LONGEST_ANSWER = 8 * 1024 * 1024;

/**
 * Sends once and reads the whole answer, within `timeoutMs`. Never throws. The end of the time and the caller's signal
 * are raced here: fetch holds its signal weakly, and forgets it while a body is read (nodejs/undici, Node 20).
 */
export async function exchange(
  fetch: typeof globalThis.fetch,
  clock: ClientClock,
  sending: Sending,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const aborted: Lost = { kind: 'lost', reason: 'ABORTED', message: 'the caller stopped waiting' };
  if (signal?.aborted === true) return aborted;
  const stop = new AbortController();
  const done = new AbortController();
  const cut = new Promise<Lost>((resolve) => {
    signal?.addEventListener('abort', () => resolve(aborted), { once: true, signal: done.signal });
    // The clock's own timer and not AbortSignal.timeout, so that tests decide what time it is.
    clock.sleep(timeoutMs, done.signal).then(
      () => resolve({ kind: 'lost', reason: 'TIMED_OUT', message: `no answer within ${timeoutMs} ms` }),
      () => undefined,
    );
  });
  const received = await Promise.race([receive(fetch, sending, stop.signal), cut]);
  done.abort();
  if (received.kind === 'lost') stop.abort(new Error(received.message));
  return received;
}

async function receive(
  fetch: typeof globalThis.fetch,
  sending: Sending,
  signal: AbortSignal,
): Promise<Received> {
  try {
    const response = await fetch(sending.url, {
      method: sending.method,
      headers: sending.headers,
      body: sending.body,
      // A redirect would carry the token to another address, and a stored answer may be one.
      redirect: 'manual',
      signal,
    });
    const text = await readText(response, signal);
    if (text !== null) return { kind: 'response', status: response.status, headers: response.headers, text };
    const message = `the answer is longer than ${LONGEST_ANSWER} bytes`;
    return { kind: 'lost', reason: 'ANSWER_TOO_LONG', message };
  } catch (error) {
    return { kind: 'lost', reason: 'CONNECTION_LOST', message: messageOf(error) };
  }
}

/** Null when it is longer than any answer of the ledger. Cancels what is left of it when the signal aborts. */
async function readText(response: Response, signal: AbortSignal): Promise<string | null> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const decoder = new TextDecoder();
  let text = '';
  for (let length = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > LONGEST_ANSWER) return null;
    text += decoder.decode(value, { stream: true });
  }
}

/** fetch hides what happened to the connection in the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
