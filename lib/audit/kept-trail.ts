import 'server-only';
import type { Queryable } from '@/lib/db/pool';
import { CheckpointTrail } from './verifier/checkpoint-trail.mjs';

/** Checkpoints that one look takes, of however many years: the newest, and as many spread over the rest; each by its place. */
const EACH = 200;

/**
 * The checkpoints that the database keeps, as of now; null when there are none. They show what was changed by somebody
 * without the signer's key. That none was taken away, only the signer's file shows.
 */
export async function keptTrail(database: Queryable): Promise<CheckpointTrail | null> {
  const { rows } = await database.query<{ record: string }>(
    `select record from review.audit_checkpoints where sequence = any(array(
        with m as (select max(sequence) as last from review.audit_checkpoints)
        select sequence from review.audit_checkpoints where kind <> 'checkpoint'
        -- Of what has left the log, each end is signed.
        union select sequence from review.audit_checkpoints where number = any(array(select last_number from review.audit_retirements))
        union select generate_series(greatest(last - $1 + 1, 1), last) from m
        union select generate_series(greatest(last / $1, 1), last, greatest(last / $1, 1)) from m))
      order by sequence`,
    [EACH],
  );
  if (rows.length === 0) return null;
  return new CheckpointTrail({ lines: rows.map(({ record }) => record.trimEnd()), keys: null, sparse: true });
}
