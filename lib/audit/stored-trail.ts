import 'server-only';
import type { Queryable } from '@/lib/db/pool';
import { CheckpointTrail } from './verifier/checkpoint-trail.mjs';
import type { KnownKey } from './verifier/key-ring.mjs';

/** Rows per statement. */
const BATCH = 1_000;

/** Every checkpoint that the database keeps, in order; null when it keeps none. */
export async function storedTrail(
  database: Queryable,
  keys: readonly KnownKey[] | null,
): Promise<CheckpointTrail | null> {
  const { rows } = await database.query('select from review.audit_checkpoints limit 1');
  return rows.length === 0 ? null : new CheckpointTrail({ lines: storedLines(database), keys });
}

async function* storedLines(database: Queryable): AsyncGenerator<string> {
  for (let after: string | null = '0'; after !== null;) {
    const page: { rows: { sequence: string; record: string }[] } = await database.query(
      'select sequence::text, record from review.audit_checkpoints where sequence > $1 order by audit_checkpoints.sequence limit $2',
      [after, BATCH],
    );
    for (const { record } of page.rows) yield record.trimEnd();
    after = page.rows.length < BATCH ? null : (page.rows.at(-1)?.sequence ?? null);
  }
}

/** What keeps the signer from signing, as it told the database; null while nothing does. */
export async function signerAlarm(
  database: Queryable,
): Promise<{ code: string; number: string | null; since: string } | null> {
  const { rows } = await database.query<{ code: string; number: string | null; since: string }>(
    `select alarm as code, alarm_number::text as number, review.audit_instant(alarm_since) as since from review.audit_signer where alarm is not null`,
  );
  return rows[0] ?? null;
}
