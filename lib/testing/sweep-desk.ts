import { transaction, type TransactionContext } from '@/lib/db/transaction';
import type { TestDatabase } from './database';

export const SWEEP: TransactionContext = {
  actor: { kind: 'system', id: 'system:sweep' },
  requestId: 'job:1',
  sourceAddress: null,
};

/** What the worker does on the desk every 15 seconds: ends what only time ends. */
export async function sweepDesk(db: TestDatabase): Promise<void> {
  await transaction(db.pool('worker'), SWEEP, (tx) => tx.query('select review.sweep()'));
}
