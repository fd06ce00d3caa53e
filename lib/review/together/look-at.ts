import 'server-only';
import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import type { PersonRef } from '@/lib/domain/person-ref';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Who else looks at an exception now. The actor's own look is worth 45 seconds; null: it is not theirs to see. */
export async function lookAt(
  pool: Pool,
  context: TransactionContext,
  exceptionId: string,
  looks: boolean,
): Promise<PersonRef[] | null> {
  if (!UUID.test(exceptionId)) return null;
  const { rows } = await transaction(pool, context, (tx) =>
    tx.query<{ others: PersonRef[] | null }>('select review.look_at($1::uuid, $2) as others', [
      exceptionId,
      looks,
    ]),
  );
  return rows[0]?.others ?? null;
}
