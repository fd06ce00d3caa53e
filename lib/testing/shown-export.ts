// The file that a reader gets who may see only some events of a log, made by the definitions and not by the product.
import { EXPORT_FORMAT } from '@/lib/audit/verifier/export-form.mjs';
import type { CheckpointRecord } from '@/lib/audit/verifier/checkpoint.mjs';
import type { Inclusion } from '@/lib/audit/verifier/inclusion.mjs';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { auditPath, entryOf } from './merkle-reference';

export type ShownEvent = AuditRecord & { inclusion: Inclusion | null };

/** An event's way by the first record that covers it; null where it has no tree. */
export function inclusionOf(
  events: readonly AuditRecord[],
  records: readonly CheckpointRecord[],
  number: number,
): Inclusion | null {
  const record = records.find((each) => Number(each.number) >= number);
  if (record?.tree === undefined) return null;
  const size = Number(record.tree.size);
  const first = Number(record.number) - size + 1;
  const entries = events.slice(first - 1, Number(record.number)).map(entryOf);
  return {
    checkpoint: record.number,
    index: String(number - first),
    size: String(size),
    path: auditPath(number - first, entries).map((hash) => hash.toString('hex')),
  };
}

/** Those that concern these events, and the newest. */
export const recordsFor = (
  shown: readonly ShownEvent[],
  records: readonly CheckpointRecord[],
): CheckpointRecord[] =>
  records.filter(
    (record) =>
      record.type !== 'checkpoint' ||
      record === records.at(-1) ||
      shown.some(
        ({ number, inclusion }) => number === record.number || inclusion?.checkpoint === record.number,
      ),
  );

/** Lines without their ends: each record behind the last shown event that it covers. */
export function shownLines(shown: readonly ShownEvent[], records: readonly CheckpointRecord[]): string[] {
  const waiting = [...records];
  // The export is an event of the log itself, behind everything that it shows and that was signed before.
  const last = Math.max(...[...shown, ...records].map(({ number }) => Number(number)));
  const upTo = (number: bigint) =>
    waiting.splice(0, waiting.filter((each) => BigInt(each.number) <= number).length);
  return [
    { type: 'export', format: EXPORT_FORMAT, upTo: String(last + 1), filter: { tenants: ['tenant-north'] } },
    ...shown.flatMap((event) => [
      ...upTo(BigInt(event.number) - 1n),
      { type: 'event', ...event },
      ...upTo(BigInt(event.number)),
    ]),
    ...waiting,
    { type: 'end', events: shown.length },
  ].map((line) => JSON.stringify(line));
}
