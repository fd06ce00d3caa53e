import 'server-only';
import type { Queryable } from '@/lib/db/pool';
import { firstOf, type CheckpointRecord } from './verifier/checkpoint.mjs';
import type { Inclusion } from './verifier/inclusion.mjs';
import { leafOf, nodeOf } from './verifier/merkle.mjs';

/** A record that signs a tree. */
export type TreeRecord = CheckpointRecord & Required<Pick<CheckpointRecord, 'tree'>>;

/** From the leaves up; the last one of a level goes up alone where nothing is beside it. */
export function levelsOver(leaves: readonly Buffer[]): (readonly Buffer[])[] {
  const levels = [leaves];
  for (let below = leaves; below.length > 1;) {
    const level: Buffer[] = [];
    for (let at = 0; at < below.length; at += 2) {
      const [left, right] = [below[at], below[at + 1]];
      if (left !== undefined) level.push(right === undefined ? left : nodeOf(left, right));
    }
    levels.push(level);
    below = level;
  }
  return levels;
}

/** The hashes beside the way up from a leaf. */
export const pathFrom = (levels: readonly (readonly Buffer[])[], index: number): string[] =>
  levels.flatMap((level, height) => level[Math.floor(index / 2 ** height) ^ 1]?.toString('hex') ?? []);

/** Ways of events to signed roots. Asked in order of number, it reads each record's hashes once and holds those of one. */
export class InclusionProofs {
  private of: { sequence: string; levels: (readonly Buffer[])[] } | null = null;

  constructor(private readonly db: Queryable) {}

  /** Where the log does not hold what the record covers, the way leads elsewhere: whoever verifies finds it. */
  async wayOf(number: bigint, record: TreeRecord): Promise<Inclusion> {
    const { size } = record.tree;
    if (this.of?.sequence !== record.sequence)
      this.of = { sequence: record.sequence, levels: levelsOver(await this.leaves(record)) };
    const { levels } = this.of;
    const index = Number(number - firstOf(record));
    return { checkpoint: record.number, index: String(index), size, path: pathFrom(levels, index) };
  }

  /** No more rows than a record may cover; by the numbers' index. */
  private async leaves(record: TreeRecord): Promise<Buffer[]> {
    const { rows } = await this.db.query<{ number: string; hash: string }>(
      `select number::text as number, encode(hash, 'hex') as hash from review.audit_events
        where number between $1 and $2 order by audit_events.number`,
      [firstOf(record).toString(), record.number],
    );
    return rows.map(({ number, hash }) => leafOf(BigInt(number), hash));
  }
}
