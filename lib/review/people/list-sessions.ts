import 'server-only';
import { IDLE_SECONDS } from '@/lib/access/session';
import { browserName } from '@/lib/domain/browser-name';
import type { SessionRow } from '@/lib/domain/person-row';
import type { ReadContext } from '../read-context';

/** Open sessions that one page shows; a person has a handful. */
const MOST = 100;

/** Where a person is signed in, the last used first. Index: sessions_person. */
export async function listSessions(ctx: ReadContext, personId: string): Promise<SessionRow[]> {
  const { rows } = await ctx.db.query<Omit<SessionRow, 'browser'> & Record<string, unknown>>(
    `select session_id as "sessionId", ledger.instant(created_at) as "createdAt", ledger.instant(last_seen_at) as "lastSeenAt",
            user_agent as "userAgent", source_address as "sourceAddress"
       from review.sessions
      where person_id = $1 and revoked_at is null and expires_at > ledger.clock()
        and last_seen_at > ledger.clock() - make_interval(secs => $2)
      order by last_seen_at desc, session_id limit $3`,
    [personId, IDLE_SECONDS, MOST],
  );
  return rows.map((row) => ({ ...row, browser: browserName(row.userAgent) }));
}
