import 'server-only';
import { cache } from 'react';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { pool } from '@/lib/db/pool';
import type { TransactionContext } from '@/lib/db/transaction';
import type { Actor } from '@/lib/domain/actor';
import { REQUEST_HEADERS } from '@/lib/domain/request-headers';
import { comesFromOurPages, requestOrigin } from './request-origin';
import { actorOfSecret } from './session';
import { secretOfCookie, SESSION_COOKIE } from './session-cookie';

/** Who acts, with the context of their transaction. */
export interface Acting {
  actor: Actor;
  context: TransactionContext;
}

/** A cookie-carried change that none of our own pages sent. It has no effect. */
class ForeignOriginError extends Error {
  override readonly name = 'ForeignOriginError';
}

/** The person asking, read from the database once per request; null when nobody is signed in. */
export const currentActor = cache(async (): Promise<Actor | null> => {
  const value = (await cookies()).get(SESSION_COOKIE)?.value;
  const secret = await secretOfCookie(value);
  return secret === null ? null : actorOfSecret(pool('pages'), secret);
});

/** The person asking, or the way to the login page and back. For pages. */
export async function requireActor(): Promise<Actor> {
  const actor = await currentActor();
  if (actor === null) redirect(await loginAddress());
  return actor;
}

/** The same with the context of a transaction: for pages whose reading is itself on record. Nothing else may be changed by it. */
export async function requireReader(): Promise<Acting> {
  const actor = await requireActor();
  return { actor, context: contextOf(actor, await headers()) };
}

/**
 * The person asking for a change, for server actions: the request must come from our own pages, which the framework does
 * not ask when `Origin` is missing. Rights are those of this moment; commands check them again in their transaction.
 */
export async function requireActionActor(): Promise<Acting> {
  const received = await headers();
  if (!comesFromOurPages(received))
    throw new ForeignOriginError('the request does not come from our own pages');
  const actor = await requireActor();
  return { actor, context: contextOf(actor, received) };
}

/**
 * The same for routes, which answer by themselves instead of showing the login page: null when nobody is signed in, or
 * when the request does not come from our own pages.
 */
export async function routeActor(): Promise<Acting | null> {
  const received = await headers();
  if (!comesFromOurPages(received)) return null;
  const actor = await currentActor();
  return actor === null ? null : { actor, context: contextOf(actor, received) };
}

function contextOf(actor: Actor, received: { get(name: string): string | null }): TransactionContext {
  return {
    actor: { kind: 'person', id: actor.personId },
    sessionId: actor.sessionId,
    ...requestOrigin(received),
  };
}

async function loginAddress(): Promise<string> {
  const query = new URLSearchParams();
  const path = (await headers()).get(REQUEST_HEADERS.path);
  if (path !== null) query.set('callbackUrl', path);
  // A cookie is there and opens nothing: say why the person has to sign in again.
  if ((await cookies()).has(SESSION_COOKIE)) query.set('reason', 'SessionExpired');
  return query.size === 0 ? '/login' : `/login?${query}`;
}
