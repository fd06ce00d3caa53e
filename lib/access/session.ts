import 'server-only';
import type { Actor, Locale, Role } from '@/lib/domain/actor';
import type { Pool } from '@/lib/db/pool';
import type { Transaction } from '@/lib/db/transaction';
import { digestOf, isSecret, makeSecret } from './session-secret';

/** Seconds without a request after which a session is over: a desk left alone over lunch. */
export const IDLE_SECONDS = 30 * 60;
/** Seconds after signing in, whatever happens: one working day. */
export const ABSOLUTE_SECONDS = 12 * 60 * 60;
/** Seconds; a page asks many times a second and one touch is enough for an idle limit exact to the second. */
const TOUCH_SECONDS = 1;

/** Characters kept of a user agent; the rest says nothing to a person. */
const USER_AGENT_LENGTH = 256;

interface SessionRow {
  session_id: string;
  person_id: string;
  display_name: string;
  email: string;
  roles: Role[];
  authorities: string[];
  tenant_ids: string[];
  locale: Locale | null;
  touch: boolean;
}

/**
 * Who holds this secret, with the rights of this moment; null when the session is unknown, revoked, idle too long, past its
 * end, or its person disabled. Using it moves the idle limit, never the absolute one.
 */
export async function actorOfSecret(pool: Pool, secret: unknown): Promise<Actor | null> {
  if (!isSecret(secret)) return null;
  const { rows } = await pool.query<SessionRow>(
    `select s.session_id, p.person_id, p.display_name, p.email, p.roles, p.authorities, p.tenant_ids, p.locale,
            s.last_seen_at <= ledger.clock() - make_interval(secs => $3) as touch
       from review.sessions s join review.people p on p.person_id = s.person_id
      where s.secret_digest = $1 and s.revoked_at is null and p.disabled_at is null
        and s.expires_at > ledger.clock() and s.last_seen_at > ledger.clock() - make_interval(secs => $2)`,
    [digestOf(secret), IDLE_SECONDS, TOUCH_SECONDS],
  );
  const [row] = rows;
  if (!row) return null;
  if (row.touch) {
    await pool.query('select review.touch_session($1)', [row.session_id]);
  }
  return {
    personId: row.person_id,
    displayName: row.display_name,
    email: row.email,
    roles: row.roles,
    authorities: row.authorities,
    tenantIds: row.tenant_ids,
    locale: row.locale,
    sessionId: row.session_id,
  };
}

/**
 * How somebody showed who they are. What was checked goes along, so that it is still what counts when the session opens;
 * `authTime` is when they last showed the provider, seconds since 1970; null: it does not say, so that it never counts as fresh.
 */
export type WayIn =
  | { method: 'password'; passwordHash: string | null; newHash: string | null }
  | { method: 'link'; linkDigest: string }
  | { method: 'provider'; identityId: string; authTime: number | null };

interface Browser {
  userAgent: string | null;
  sourceAddress: string | null;
}

/** Opens a session for the acting person and returns its secret, which is nowhere else; null: what was checked counts no more. */
export async function openSession(tx: Transaction, browser: Browser, way: WayIn): Promise<string | null> {
  const secret = makeSecret();
  const { rows } = await tx.query<{ opened: boolean }>('select review.open_session($1::jsonb) as opened', [
    JSON.stringify({
      ...way,
      secretDigest: digestOf(secret).toString('hex'),
      seconds: ABSOLUTE_SECONDS,
      userAgent: printable(browser.userAgent),
      sourceAddress: browser.sourceAddress,
    }),
  ]);
  return rows[0]?.opened === true ? secret : null;
}

/** Ends the session of this secret; null when it was not open. */
export async function revokeSession(tx: Transaction, secret: unknown): Promise<{ personId: string } | null> {
  if (!isSecret(secret)) return null;
  const { rows } = await tx.query<{ person_id: string | null }>(
    'select review.close_session($1) as person_id',
    [digestOf(secret)],
  );
  const personId = rows[0]?.person_id ?? null;
  return personId === null ? null : { personId };
}

function printable(userAgent: string | null): string | null {
  return userAgent === null ? null : userAgent.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, USER_AGENT_LENGTH);
}
