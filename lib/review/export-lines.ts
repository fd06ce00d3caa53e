import 'server-only';
import { EVENT_COLUMNS, eventLine, jsonLine } from '@/lib/audit/event-line';
import { readRetirements } from '@/lib/audit/retirements';
import { EXPORT_FORMAT } from '@/lib/audit/verifier/export-form.mjs';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { csvRows, CSV_START } from '@/lib/domain/csv';
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
  'product’s source and KEYS, the signer’s public keys, from whoever keeps them. In a view that leaves events out ' +
  'neighbours are linked by their hashes, and those that lead to a signed checkpoint are proven by it. An event that leads to ' +
  'none agrees with its own hash alone: hold it against a whole export. What was left out, a view cannot show.';

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
  // As of now: one that is published meanwhile would stand behind events that are later than its own.
  const newest = await newestCheckpoint(view);
  let count = 0;
  let sequence = '0';
  for await (const events of pagesOf(view)) {
    const signed = [
      ...(anchor === null ? [] : [anchor.last.toString()]),
      ...events.map(({ number }) => number),
    ];
    const checkpoints = await checkpointsAmong(view.ctx, signed, sequence, newest);
    sequence = checkpoints.at(-1)?.sequence ?? sequence;
    let lines = '';
    for (const event of events) {
      while (checkpoints[0] && BigInt(checkpoints[0].number) < BigInt(event.number))
        lines += written(checkpoints.shift());
      lines += eventLine(event);
      while (checkpoints[0]?.number === event.number) lines += written(checkpoints.shift());
    }
    count += events.length;
    yield lines;
  }
  yield (await lastCheckpoints(view, sequence, newest)).map(written).join('');
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

interface Checkpoint {
  sequence: string;
  number: string;
  record: string;
}

const written = (checkpoint: Checkpoint | undefined): string => checkpoint?.record ?? '';

async function newestCheckpoint({ ctx, upTo }: ExportedView): Promise<string> {
  const { rows } = await ctx.db.query<{ newest: string }>(
    'select coalesce(max(sequence), 0)::text as newest from review.audit_checkpoints where number <= $1',
    [upTo.toString()],
  );
  return rows[0]?.newest ?? '0';
}

/** Changes of keys, and the checkpoints of exactly these events: of others nothing here could be compared. */
async function checkpointsAmong(
  ctx: ReadContext,
  numbers: readonly string[],
  after: string,
  newest: string,
): Promise<Checkpoint[]> {
  const { rows } = await ctx.db.query<Checkpoint>(
    `select sequence::text, number::text, record from review.audit_checkpoints c
      where c.sequence > $1 and c.sequence <= $4 and c.number <= $2 and (c.kind <> 'checkpoint' or c.number = any($3::bigint[]))
      order by c.sequence`,
    [after, numbers.at(-1), numbers, newest],
  );
  return rows;
}

/** The other changes of keys, and the latest checkpoint: what the whole log can be held against. */
async function lastCheckpoints(
  { ctx, upTo }: ExportedView,
  after: string,
  newest: string,
): Promise<Checkpoint[]> {
  const { rows } = await ctx.db.query<Checkpoint>(
    `select c.sequence::text, c.number::text, c.record from review.audit_checkpoints c
      where c.sequence > $1 and c.sequence <= $3 and (c.kind <> 'checkpoint' or c.sequence = $3) and c.number <= $2
      order by c.sequence`,
    [after, upTo.toString(), newest],
  );
  return rows;
}
