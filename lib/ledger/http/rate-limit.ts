import { ProblemError } from './problem';

/** Requests per second that are sustained, and how many may come at once after a pause. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** The contract's default for claims. */
export const CLAIM_LIMIT: RateLimit = { perSecond: 200, burst: 1000 };
/** Reports and reads: an executor that may claim must never be kept from reporting, so this only stops floods. */
export const OTHER_LIMIT: RateLimit = { perSecond: 1000, burst: 5000 };

interface Bucket {
  tokens: number;
  /** Milliseconds of the monotonic clock. */
  at: number;
}

/**
 * A token bucket per principal, in this process. Only authenticated principals get one, so their number is bounded by
 * the installation's own list.
 */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly limit: RateLimit,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes one token, or throws 429 with the seconds until there is one. */
  take(principalId: string): void {
    const now = this.now();
    const bucket = this.buckets.get(principalId) ?? { tokens: this.limit.burst, at: now };
    this.buckets.set(principalId, bucket);
    const elapsed = Math.max(0, now - bucket.at) / 1000;
    bucket.tokens = Math.min(this.limit.burst, bucket.tokens + elapsed * this.limit.perSecond);
    bucket.at = now;
    if (bucket.tokens < 1) {
      throw new ProblemError('RATE_LIMITED', `More than ${this.limit.perSecond} requests per second.`, {
        retryAfterSeconds: (1 - bucket.tokens) / this.limit.perSecond,
      });
    }
    bucket.tokens -= 1;
  }
}
