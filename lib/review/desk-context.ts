import 'server-only';
import pino from 'pino';
import { pool, type Pool } from '@/lib/db/pool';
import type { TransactionContext } from '@/lib/db/transaction';
import type { Actor } from '@/lib/domain/actor';
import { asking, type Asking } from '@/lib/lookup/ask-connector';

/** Who looks at one thing of the desk, and through what: its several statements see one moment. */
export interface DeskReader {
  actor: Actor;
  pool: Pool;
}

/** Who acts at the desk, in answer to which request. */
export interface DeskContext extends DeskReader {
  context: TransactionContext;
}

/** The same for acts that ask the outside system. */
export interface LookingContext extends DeskContext {
  asking: Asking;
}

/** For pages. */
export function deskReader(actor: Actor): DeskReader {
  return { actor, pool: pool('pages') };
}

const log = pino({ name: 'lookup', level: process.env['LOG_LEVEL'] ?? 'info', base: null });

/** For server actions: what `requireActionActor` found, over the pages' pool and with this process's secrets. */
export function deskContext(acting: { actor: Actor; context: TransactionContext }): LookingContext {
  return {
    ...acting,
    pool: pool('pages'),
    asking: asking(process.env, (event) => log.warn({ event: 'outside_system_silent', ...event })),
  };
}
