import 'server-only';
import type { Queryable } from '@/lib/db/pool';
import { InclusionProofs, type TreeRecord } from './inclusion-proofs';
import { firstOf, parseCheckpoint } from './verifier/checkpoint.mjs';
import type { Inclusion } from './verifier/inclusion.mjs';

interface Row {
  sequence: string;
  number: string;
  record: string;
}

/** The checkpoints that concern exported events, in order and each behind the last event that it covers; and the events' ways to them. */
export class ExportedCheckpoints {
  private readonly proofs: InclusionProofs;
  /** Read, and to be written when the events have come. */
  private waiting: Row[] = [];
  private covering: TreeRecord[] = [];
  private sequence = '0';

  private constructor(
    private readonly db: Queryable,
    private readonly newest: string,
    private readonly anchor: bigint | null,
  ) {
    this.proofs = new InclusionProofs(db);
  }

  /**
   * Those that there are now: one that is published meanwhile would stand behind events that are later than its own.
   * @param upTo the last exported number
   * @param anchor the last number that has left the log
   */
  static async asOfNow(db: Queryable, upTo: bigint, anchor: bigint | null): Promise<ExportedCheckpoints> {
    const { rows } = await db.query<{ newest: string }>(
      'select coalesce(max(sequence), 0)::text as newest from review.audit_checkpoints where number <= $1',
      [upTo.toString()],
    );
    return new ExportedCheckpoints(db, rows[0]?.newest ?? '0', anchor);
  }

  /**
   * Reads what concerns the next events: changes of keys, the checkpoints of exactly these events, and those whose trees cover
   * them. Of others nothing could be compared.
   */
  async read(numbers: readonly bigint[]): Promise<void> {
    const [exact, last] = [numbers.map(String), numbers.at(-1) ?? 0n];
    const covering = await this.coveringRows(exact);
    const reach = BigInt(covering.at(-1)?.number ?? 0);
    if (this.anchor !== null) exact.push(this.anchor.toString());
    await this.queue(
      "c.number <= $3 and (c.kind <> 'checkpoint' or c.number = any($4::bigint[]) or c.sequence = any($5::bigint[]))",
      [String(reach > last ? reach : last), exact, covering.map(({ sequence }) => sequence)],
    );
  }

  /** The lines that come before a later event. */
  upTo(number: bigint): string {
    const count = this.waiting.findIndex((row) => BigInt(row.number) > number);
    const due = this.waiting.splice(0, count < 0 ? this.waiting.length : count);
    return due.map(({ record }) => record).join('');
  }

  /** The other changes of keys, and the latest checkpoint: what the whole log can be held against. */
  async rest(): Promise<string> {
    await this.queue("(c.kind <> 'checkpoint' or c.sequence = $2)", []);
    return this.waiting.map(({ record }) => record).join('');
  }

  /** How the event leads to a signed root; null where no record covers it yet, or none ever did. */
  async wayOf(number: bigint): Promise<Inclusion | null> {
    const record = this.covering.find((each) => BigInt(each.number) >= number);
    return record === undefined || firstOf(record) > number ? null : this.proofs.wayOf(number, record);
  }

  /** Index: audit_checkpoints_number, once an event. */
  private async coveringRows(numbers: readonly string[]): Promise<Row[]> {
    const { rows } = await this.db.query<Row & { [name: string]: unknown }>(
      `select distinct on (c.sequence) c.sequence::text, c.number::text, c.record
         from unnest($1::bigint[]) e(number) cross join lateral (
           select * from review.audit_checkpoints k where k.number >= e.number and k.sequence <= $2 order by k.number, k.sequence limit 1) c
        order by c.sequence`,
      [numbers, this.newest],
    );
    const covering = rows.flatMap((row) => {
      const record = parseCheckpoint(row.record.trimEnd());
      return record?.tree === undefined ? [] : [{ row, record: { ...record, tree: record.tree } }];
    });
    this.covering = covering.map(({ record }) => record);
    return covering.map(({ row }) => row);
  }

  private async queue(which: string, values: readonly unknown[]): Promise<void> {
    const { rows } = await this.db.query<Row & { [name: string]: unknown }>(
      `select c.sequence::text, c.number::text, c.record from review.audit_checkpoints c
        where c.sequence > $1 and c.sequence <= $2 and ${which} order by c.sequence`,
      [this.sequence, this.newest, ...values],
    );
    this.sequence = rows.at(-1)?.sequence ?? this.sequence;
    this.waiting.push(...rows);
  }
}
