import type { ClientClock } from './types';

/** Milliseconds; a timer above 2^31 - 1 fires at once, so longer waits are made of several (B-47). */
const LONGEST_TIMER = 2_147_483_647;

export const systemClock: ClientClock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    for (let left = milliseconds; left > 0; left -= LONGEST_TIMER)
      await timer(Math.min(left, LONGEST_TIMER), signal);
    signal?.throwIfAborted();
  },
};

function timer(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(reasonOf(signal));
    const onAbort = () => {
      clearTimeout(handle);
      if (signal !== undefined) reject(reasonOf(signal));
    };
    const handle = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason });
}
