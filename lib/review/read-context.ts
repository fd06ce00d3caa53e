import 'server-only';
import { pool, type Queryable } from '@/lib/db/pool';
import { type Actor } from '@/lib/domain/actor';

/** Who reads, and through what. Every read is limited to the actor's tenants. */
export interface ReadContext {
  actor: Actor;
  db: Queryable;
}

/** For pages: the actor of this request over the pages' pool. */
export function readContext(actor: Actor): ReadContext {
  return { actor, db: pool('pages') };
}
