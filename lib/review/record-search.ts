import 'server-only';
import { createHash } from 'node:crypto';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import type { DeskContext } from './desk-context';

type SearchedList = 'audit' | 'queue' | 'executions';

/** Milliseconds in which the same search by the same person is one: its pages, its refreshed list. */
const ONE_SEARCH_MS = 10 * 60_000;
/** Searches remembered in this process; the oldest is forgotten first. */
const REMEMBERED = 2_000;

const holder = globalThis as { onceoverSearches?: Map<string, number> };

/**
 * Puts a search on record before its rows are read (AU-17): who, when and in which list, never what was looked for. The
 * text itself stays here as a digest, to know it again.
 */
export async function recordSearch(ctx: DeskContext, list: SearchedList, text: string): Promise<void> {
  if (text === '') return;
  const searches = (holder.onceoverSearches ??= new Map());
  const now = performance.now();
  const search = createHash('sha256')
    .update(JSON.stringify([ctx.actor.personId, list, text]))
    .digest('hex');
  if (now - (searches.get(search) ?? -Infinity) < ONE_SEARCH_MS) return;
  await transaction(ctx.pool, ctx.context, (tx) =>
    appendAudit(tx, { event: 'search.made', outcome: 'done', body: { list } }),
  );
  // Set anew, so that the map's order is that of time.
  searches.delete(search);
  searches.set(search, now);
  const [oldest] = searches.keys();
  if (searches.size > REMEMBERED && oldest !== undefined) searches.delete(oldest);
}
