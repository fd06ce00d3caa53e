import 'server-only';
import { pool, type Queryable } from '@/lib/db/pool';
import type { SigningCheckpoint } from '@/lib/domain/signing-checkpoint';

/** Null while nothing has signed it. Index: audit_checkpoints_number. The proof is the signer's own file, kept elsewhere. */
export async function signedBy(
  number: string,
  database: Queryable = pool('pages'),
): Promise<SigningCheckpoint | null> {
  const { rows } = await database.query<SigningCheckpoint & Record<string, unknown>>(
    `select number::text as number, key_id as "keyId", ledger.instant(signed_at) as at from review.audit_checkpoints
      where number >= $1::bigint order by review.audit_checkpoints.number, sequence limit 1`,
    [number],
  );
  return rows[0] ?? null;
}
