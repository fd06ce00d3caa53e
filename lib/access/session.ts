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
    await pool.query(
      `update review.sessions set last_seen_at = greatest(last_seen_at, ledger.clock())
        where session_id = $1 and revoked_at is null`,
      [row.session_id],
    );
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

/** What the provider vouched for when a session was opened by it. */
export interface ProviderSession {
  identityId: string;
  /** When they last showed the provider who they are; seconds since 1970. Null: it does not say, so that it never counts as fresh. */
  authTime: number | null;
}

interface NewSession {
  personId: string;
  userAgent: string | null;
  sourceAddress: string | null;
  /** Null: opened by password or link, shown right now. */
  provider: ProviderSession | null;
}

/** Opens a session for a person and returns its secret, which is nowhere else. */
export async function openSession(tx: Transaction, session: NewSession): Promise<string> {
  const secret = makeSecret();
  const { provider } = session;
  await tx.query(
    `insert into review.sessions (secret_digest, person_id, expires_at, user_agent, source_address, identity_id, authenticated_at)
     values ($1, $2, ledger.clock() + make_interval(secs => $3), $4, $5, $6,
             case when $6::uuid is null then ledger.clock()
                  when $7::float8 is null then '-infinity'
                  else least(to_timestamp($7::float8), ledger.clock()) end)`,
    [
      digestOf(secret),
      session.personId,
      ABSOLUTE_SECONDS,
      printable(session.userAgent),
      session.sourceAddress,
      provider?.identityId ?? null,
      provider?.authTime ?? null,
    ],
  );
  return secret;
}

/** Ends the session of this secret; null when it was not open. */
export async function revokeSession(tx: Transaction, secret: unknown): Promise<{ personId: string } | null> {
  if (!isSecret(secret)) return null;
  const { rows } = await tx.query<{ person_id: string }>(
    `update review.sessions set revoked_at = ledger.clock()
      where secret_digest = $1 and revoked_at is null returning person_id`,
    [digestOf(secret)],
  );
  return rows[0] ? { personId: rows[0].person_id } : null;
}

function printable(userAgent: string | null): string | null {
  return userAgent === null ? null : userAgent.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, USER_AGENT_LENGTH);
}
