import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { Pool } from '@/lib/db/pool';
import type { Principal } from './authenticate';
import type { RateLimit } from './rate-limit';

export interface ProducerApiOptions {
  /** A getter, because a process may serve pages for hours before its first producer calls. */
  readonly pool: () => Pool;
  /** Secret bytes for the hashes of single fields. */
  readonly fieldHashKey: () => Uint8Array;
  readonly log: Logger;
  readonly claimLimit?: RateLimit;
  readonly otherLimit?: RateLimit;
}

export interface ApiEnv {
  Variables: {
    requestId: string;
    pool: Pool;
    fieldHashKey: () => Uint8Array;
    principal: Principal;
    /** For the log: what the request turned out to be about. */
    facts: { operation?: string; executionId?: string; code?: string; sqlstate?: string };
  };
}

export type ApiContext = Context<ApiEnv>;
