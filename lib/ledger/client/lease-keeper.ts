import type { Claimed, ClientClock, LedgerClient } from './types';
import type { EffectStartedExecution, Execution, JsonValue } from './wire';

/** Share of the lease after which it is renewed: two renewals may be lost before the third is too late. */
const RENEW_AT = 1 / 3;
/** Milliseconds; a shorter lease is renewed no more often than this. */
const SHORTEST_PAUSE = 200;

/** Why the work must stop: the reason of the signal that the effect was given. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor(
    message: string,
    /** Somebody else holds the execution; otherwise only its time is over. */
    readonly fenced: boolean,
  ) {
    super(message);
  }
}

interface Terms {
  /** When the announcement was sent, by our clock. */
  readonly askedAt: number;
  readonly leaseSeconds: number | undefined;
  /** The caller's own, by the server's clock. */
  readonly deadline: string | undefined;
}

interface Progress {
  readonly externalJobId?: string;
  readonly progress?: JsonValue;
}

/**
 * Keeps a lease alive while the effect runs and aborts `signal` when it can no longer be believed. Times are differences
 * of the server's own instants, so the client's clock may be wrong; it only has to run at the right speed.
 */
export class LeaseKeeper {
  private readonly stopped = new AbortController();
  private readonly over = new AbortController();
  private endsAt: number;

  constructor(
    private readonly client: LedgerClient,
    private readonly clock: ClientClock,
    private readonly claim: Claimed,
    started: EffectStartedExecution,
    { askedAt, leaseSeconds, deadline }: Terms,
  ) {
    this.leaseSeconds = leaseSeconds;
    // The server's clock at its answer was `updatedAt`, no earlier than our `askedAt`.
    const at = (instant: string) => askedAt + (Date.parse(instant) - Date.parse(started.updatedAt));
    this.endsAt = at(started.sendBefore);
    this.leaseMs =
      started.leaseExpiresAt === null
        ? 0
        : Date.parse(started.leaseExpiresAt) - Date.parse(started.updatedAt);
    this.mayExtend = started.leaseExpiresAt === started.sendBefore;
    this.endsAtLatest = !this.mayExtend ? this.endsAt : deadline === undefined ? Infinity : at(deadline);
  }

  private leaseMs: number;
  private readonly leaseSeconds: number | undefined;
  /** What no heartbeat moves. */
  private readonly endsAtLatest: number;
  /** False when the caller's own deadline, which no heartbeat moves, is what ends the time for sending. */
  private readonly mayExtend: boolean;

  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Milliseconds for which the effect may still be believed to be ours. */
  get left(): number {
    return this.endsAt - this.clock.now();
  }

  /** The same, if every heartbeat arrives. */
  get longestLeft(): number {
    return this.endsAtLatest - this.clock.now();
  }

  run(): void {
    void this.watch();
    if (this.mayExtend) void this.renew();
  }

  stop(): void {
    this.stopped.abort();
  }

  async beat(progress: Progress = {}): Promise<void> {
    const askedAt = this.clock.now();
    const body = { fencingToken: this.claim.fencingToken, leaseSeconds: this.leaseSeconds, ...progress };
    const retry = {
      maxAttempts: 1,
      requestTimeoutMs: Math.max(SHORTEST_PAUSE, Math.min(10_000, this.leaseMs * RENEW_AT)),
    };
    const answer = await this.client.heartbeat(this.claim.executionId, body, {
      retry,
      signal: this.stopped.signal,
    });
    if (answer.kind === 'OK') return this.extend(answer.value, askedAt);
    if (answer.kind === 'REFUSED' && !this.stopped.signal.aborted) {
      this.over.abort(
        new LeaseLost(`the ledger refused the heartbeat: ${answer.code}`, answer.code === 'FENCED'),
      );
    }
  }

  private extend(execution: Execution, askedAt: number): void {
    if (execution.leaseExpiresAt === null || !this.mayExtend) return;
    this.leaseMs = Date.parse(execution.leaseExpiresAt) - Date.parse(execution.updatedAt);
    this.endsAt = Math.min(this.endsAtLatest, Math.max(this.endsAt, askedAt + this.leaseMs));
  }

  private async renew(): Promise<void> {
    while (await this.rest(Math.max(SHORTEST_PAUSE, this.leaseMs * RENEW_AT))) await this.beat();
  }

  private async watch(): Promise<void> {
    while (this.left > 0) {
      if (!(await this.rest(this.left))) return;
    }
    this.over.abort(new LeaseLost('the time for which the call may be sent is over', false));
  }

  /** False when there is nothing left to rest for. */
  private async rest(milliseconds: number): Promise<boolean> {
    const ended = AbortSignal.any([this.stopped.signal, this.over.signal]);
    return this.clock.sleep(milliseconds, ended).then(
      () => !ended.aborted,
      () => false,
    );
  }
}
