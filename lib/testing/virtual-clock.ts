import type { ClientClock } from '@/lib/ledger/client';

interface Timer {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that moves only when everything waits for it, so a day of retries takes no time at all. */
export class VirtualClock implements ClientClock {
  private readonly timers = new Set<Timer>();

  constructor(private time = Date.parse('2026-11-29T00:00:00Z')) {}

  now(): number {
    return this.time;
  }

  /** Steps the clock without waking anybody, as a correction of the system's time does. */
  step(milliseconds: number): void {
    this.time += milliseconds;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(new Error('aborted'));
      const timer: Timer = { at: this.time + milliseconds, wake: resolve };
      this.timers.add(timer);
      signal?.addEventListener('abort', () => {
        if (this.timers.delete(timer)) reject(new Error('aborted'));
      });
    });
  }

  /** The value of `work`, with time moved on to the next timer whenever nothing else can go on. */
  async run<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const watched = work.finally(() => (settled = true));
    watched.catch(() => undefined);
    for (;;) {
      // A turn of the event loop lets every promise and every timer of no length settle.
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
      if (settled) return watched;
      const [next] = [...this.timers].sort((one, other) => one.at - other.at);
      if (next === undefined) throw new Error('the work waits for something that is not time');
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.wake();
    }
  }
}
