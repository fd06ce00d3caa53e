import type { ClientClock, EffectContext, EffectResult } from './types';

export type Effect = (context: EffectContext) => Promise<EffectResult>;

/** How an effect ended; `pending` is one that did not end when it had to, and may still come to a result. */
export type EffectEnd =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: unknown; readonly pending: Promise<unknown> | null };

/**
 * Waits for the effect until it ends or its signal aborts. One that ignores its signal is not waited for: what it still
 * does is the doubt that the report tells of.
 */
export async function runEffect(
  clock: ClientClock,
  effect: Effect,
  context: EffectContext,
  stop: AbortController,
  timeoutMs: number | undefined,
): Promise<EffectEnd> {
  const done = new AbortController();
  const cut = new Promise<'cut'>((resolve) => {
    context.signal.addEventListener('abort', () => resolve('cut'), { once: true, signal: done.signal });
  });
  if (timeoutMs !== undefined) {
    clock.sleep(timeoutMs, done.signal).then(
      () => stop.abort(new DOMException(`the effect took longer than ${timeoutMs} ms`, 'TimeoutError')),
      () => undefined,
    );
  }
  const running = startOf(effect, context);
  try {
    const first = await Promise.race([running.then((result) => ({ result })), cut]);
    if (first !== 'cut') return { ok: true, result: first.result };
    return { ok: false, error: context.signal.reason, pending: running };
  } catch (error) {
    return { ok: false, error, pending: null };
  } finally {
    done.abort();
  }
}

/** A throw before the first promise is an end like any other. */
async function startOf(effect: Effect, context: EffectContext): Promise<unknown> {
  return effect(context);
}
