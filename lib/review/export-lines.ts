import 'server-only';
import { EVENT_COLUMNS, eventLine, jsonLine } from '@/lib/audit/event-line';
import { readRetirements } from '@/lib/audit/retirements';
import { EXPORT_FORMAT } from '@/lib/audit/verifier/export-form.mjs';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { csvRows, CSV_START } from '@/lib/domain/csv';
import { ExportedCheckpoints } from '@/lib/audit/exported-checkpoints';
import { listAuditEvents } from './list-audit-events';
import type { AuditFilter } from './audit-filter';
import { LARGEST_PAGE } from './keyset';
import type { ReadContext } from './read-context';

/** What is exported: the events that the person sees through the filter, as they were up to a number. */
export interface ExportedView {
  ctx: ReadContext;
  filter: AuditFilter;
  upTo: bigint;
}

/** For reading in a spreadsheet; the hashes lead from each row to its line in the JSON Lines. */
export async function* csvChunks(view: ExportedView): AsyncGenerator<string> {
  yield CSV_START + csvRows([[...EVENT_COLUMNS, 'texts']]);
  for await (const events of pagesOf(view)) {
    yield csvRows(
      events.map((event) => [
        ...EVENT_COLUMNS.map((name) => (name === 'actorRoles' ? event.actorRoles.join(' ') : event[name])),
        writtenIn(event),
      ]),
    );
  }
}

/** What people wrote, by its place in the body; the salts are in the JSON Lines. */
function writtenIn({ texts }: AuditRecord): string | null {
  if (texts == null) return null;
  return JSON.stringify(Object.fromEntries(Object.entries(texts).map(([path, { value }]) => [path, value])));
}

const ABOUT =
  'Each event is exactly what is hashed; npm run audit:verify -- --export FILE --keys KEYS checks it, and so does, with ' +
  'Node.js alone and no packages, node lib/audit/verifier/main.mjs --export FILE --keys KEYS, with that folder taken from the ' +
  'product’s source and KEYS, the signer’s public keys, from whoever keeps them. Each event that was signed carries in ' +
  'inclusion its way to the root (Merkle tree, RFC 9162) in the signed checkpoint that follows it, so that it is proven whatever a view ' +
  'leaves out between them; of what is left out only hashes are here. An event without that way was not signed yet, or was signed ' +
  'before checkpoints had roots: if it leads to none by its neighbours’ hashes, hold it against a whole export. What was left out, a ' +
  'view cannot show.';

/** To be verified elsewhere: events in their hashed form, between the signed checkpoints that concern them. */
export async function* jsonChunks(view: ExportedView, exportedAt: string): AsyncGenerator<string> {
  const anchor = (await readRetirements(view.ctx.db)).at(-1) ?? null;
  yield jsonLine({
    type: 'export',
    format: EXPORT_FORMAT,
    exportedAt,
    upTo: view.upTo.toString(),
    filter: view.filter,
    // What had been retired before: the events stand on its end.
    after: anchor && {
      number: anchor.last.toString(),
      hash: anchor.hash,
      archive: anchor.archive,
      sha256: anchor.sha256,
    },
    about: ABOUT,
  });
  const checkpoints = await ExportedCheckpoints.asOfNow(view.ctx.db, view.upTo, anchor?.last ?? null);
  let count = 0;
  for await (const events of pagesOf(view)) {
    await checkpoints.read(events.map(({ number }) => BigInt(number)));
    let lines = '';
    for (const event of events) {
      const number = BigInt(event.number);
      lines += checkpoints.upTo(number - 1n);
      lines += eventLine(event, await checkpoints.wayOf(number));
      lines += checkpoints.upTo(number);
    }
    count += events.length;
    yield lines;
  }
  yield await checkpoints.rest();
  // Events that left meanwhile would be missing without a word: the file breaks off instead.
  const now = (await readRetirements(view.ctx.db)).at(-1) ?? null;
  if (now?.last !== anchor?.last) throw new Error('events were retired during the export');
  yield jsonLine({ type: 'end', events: count });
}

async function* pagesOf({ ctx, filter, upTo }: ExportedView): AsyncGenerator<AuditRecord[]> {
  let cursor: string | null = null;
  do {
    const answer = await listAuditEvents(ctx, { filter, sort: 'number', cursor, size: LARGEST_PAGE });
    if (answer.kind === 'cursor-refused') throw new Error('bug: our own cursor was refused');
    const events = answer.rows.filter(({ number }) => BigInt(number) <= upTo);
    if (events.length > 0) yield events;
    cursor = events.length < answer.rows.length ? null : answer.next;
  } while (cursor !== null);
}
