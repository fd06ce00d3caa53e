import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';

/** Changes how long events stay at least, on record. For the database's owner alone. */
export async function keepAudit(owner: Pool, context: TransactionContext, days: number): Promise<void> {
  await transaction(owner, context, (tx) => tx.query('select review.keep_audit($1)', [days]));
}
