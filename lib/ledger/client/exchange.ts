import type { ClientClock } from './types';

/** One request as it is sent; sending it again sends exactly the same. */
export interface Sending {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether it may be sent again by itself: a keyless report never is, whatever was answered. */
  readonly repeatable: boolean;
}

/** What came of one send. `lost` says nothing about whether it arrived. */
export type Received =
  | { readonly kind: 'response'; readonly status: number; readonly headers: Headers; readonly text: string }
  | {
      readonly kind: 'lost';
      readonly reason: 'CONNECTION_LOST' | 'TIMED_OUT' | 'ABORTED';
      readonly message: string;
    };

/** Sends once and reads the whole answer, within `timeoutMs`. Never throws. */
export async function exchange(
  fetch: typeof globalThis.fetch,
  clock: ClientClock,
  sending: Sending,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const timeout = new AbortController();
  const done = new AbortController();
  // The clock's own timer and not AbortSignal.timeout, so that tests decide what time it is.
  clock.sleep(timeoutMs, done.signal).then(
    () => timeout.abort(new Error(`no answer within ${timeoutMs} ms`)),
    () => undefined,
  );
  try {
    const response = await fetch(sending.url, {
      method: sending.method,
      headers: sending.headers,
      body: sending.body,
      // A redirect would carry the token to another address.
      redirect: 'error',
      signal: signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]),
    });
    return {
      kind: 'response',
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    };
  } catch (error) {
    const message = messageOf(error);
    if (signal?.aborted === true) return { kind: 'lost', reason: 'ABORTED', message };
    return { kind: 'lost', reason: timeout.signal.aborted ? 'TIMED_OUT' : 'CONNECTION_LOST', message };
  } finally {
    done.abort();
  }
}

/** fetch hides what happened to the connection in the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
