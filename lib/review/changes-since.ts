import 'server-only';
import { sqlstateOf } from '@/lib/db/sqlstate';
import { type ReadContext } from './read-context';

/** A snapshot of PostgreSQL as text: what was visible when a page was read. */
const MARK = /^\d{1,18}:\d{1,18}:(?:\d{1,18}(?:,\d{1,18})*)?$/;
/** Characters; a snapshot names every transaction under way. */
const LONGEST_MARK = 8_000;
const INVALID_TEXT = '22P02';

export interface Changes {
  /** To ask with the next time. */
  mark: string;
  changed: boolean;
}

/** Taken before a list is read: nothing falls between the two. */
export async function changeMark(ctx: Pick<ReadContext, 'db'>): Promise<string> {
  const { rows } = await ctx.db.query<{ mark: string }>('select pg_current_snapshot()::text as mark');
  return rows[0]?.mark ?? '';
}

/**
 * Whether an exception of the actor's tenants was opened or changed since a mark. Misses nothing, whatever order transactions
 * commit in and however long nobody asked; a mark that means nothing here is answered with "changed". Index: exceptions_by_change.
 */
export async function changesSince(ctx: ReadContext, since: string): Promise<Changes> {
  if (since.length > LONGEST_MARK || !MARK.test(since)) return { mark: await changeMark(ctx), changed: true };
  try {
    const { rows } = await ctx.db.query<Changes & Record<string, unknown>>(
      `select pg_current_snapshot()::text as mark,
         pg_snapshot_xmax($2::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
         or exists (select from review.exceptions x where x.tenant_id = any($1::text[])
              and x.changed_in >= pg_snapshot_xmin($2::pg_snapshot)::text::bigint
              and not pg_visible_in_snapshot(x.changed_in::text::xid8, $2::pg_snapshot)) as changed`,
      [ctx.actor.tenantIds, since],
    );
    const [found] = rows;
    if (found === undefined) throw new Error('bug: a select of expressions answers one row');
    return found;
  } catch (error) {
    if (sqlstateOf(error) !== INVALID_TEXT) throw error;
    return { mark: await changeMark(ctx), changed: true };
  }
}
