import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import type { Pool } from '@/lib/db/pool';
import { transaction, type Transaction } from '@/lib/db/transaction';
import { digestOf, isSecret, makeSecret } from './session-secret';
import {
  beginSession,
  loginContext,
  personContext,
  signedIn,
  type SignInAnswer,
  type SignInOrigin,
} from './sign-in';

/** Seconds in which a one-time link can be used: long enough to be carried by hand, short enough to be forgotten safely. */
export const LINK_SECONDS = 24 * 60 * 60;

/** A one-time link's token and, in hexadecimal, the digest that may be stored. */
export function newLinkSecret(): { secret: string; digest: string } {
  const secret = makeSecret();
  return { secret, digest: digestOf(secret).toString('hex') };
}

/** Makes a one-time sign-in link's token for a person; it is shown once and only its digest stays. */
export async function createSignInLink(
  tx: Transaction,
  personId: string,
  createdBy: string,
): Promise<string> {
  const token = makeSecret();
  await tx.query(
    `insert into review.sign_in_links (person_id, digest, created_by, expires_at)
     values ($1, $2, $3, ledger.clock() + make_interval(secs => $4))`,
    [personId, digestOf(token), createdBy, LINK_SECONDS],
  );
  return token;
}

/** The page that uses a link. The token is behind `#`: no server, proxy log or referrer ever sees it. */
export function signInLinkAddress(canonicalOrigin: string, token: string): string {
  return `${canonicalOrigin}/login/link#${token}`;
}

/** Signs in by a one-time link, which is used up by the opening of the session: of two at once, one gets in. */
export async function signInByLink(pool: Pool, token: unknown, origin: SignInOrigin): Promise<SignInAnswer> {
  const personId = isSecret(token) ? await ownerOf(pool, token) : null;
  if (personId === null || !isSecret(token)) return refuse(pool, origin);
  const linkDigest = digestOf(token).toString('hex');
  const secret = await transaction(pool, personContext(personId, origin), (tx) =>
    beginSession(tx, origin, { method: 'link', linkDigest }),
  );
  return secret === null ? refuse(pool, origin) : signedIn(personId, secret);
}

async function ownerOf(pool: Pool, token: string): Promise<string | null> {
  const { rows } = await pool.query<{ person_id: string }>(
    `select l.person_id from review.sign_in_links l join review.people p on p.person_id = l.person_id
      where l.digest = $1 and l.used_at is null and l.expires_at > ledger.clock() and p.disabled_at is null`,
    [digestOf(token)],
  );
  return rows[0]?.person_id ?? null;
}

async function refuse(pool: Pool, origin: SignInOrigin): Promise<SignInAnswer> {
  await transaction(pool, loginContext(origin), (tx) =>
    appendAudit(tx, { event: 'session.sign_in_failed', outcome: 'refused', refusalCode: 'BAD_LINK' }),
  );
  return { kind: 'refused' };
}
