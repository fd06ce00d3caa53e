import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';

/** Exactly one of the two. */
interface ErasedSubject {
  execution: string | null;
  exception: string | null;
}

export type Erasure =
  /** `NUMBER/PATH` of each text that the audit does not hold any more. */
  | { outcome: 'done'; texts: readonly string[] }
  /** It is open, under way or in doubt: what was written about it is still needed. On record. */
  | { outcome: 'held' }
  | { outcome: 'not-found' };

/** AU-18 Erases what people wrote about one execution or exception, and says so in an event. For the database's owner alone. */
export function eraseTexts(
  owner: Pool,
  context: TransactionContext,
  { execution, exception }: ErasedSubject,
  reference: string,
): Promise<Erasure> {
  return transaction(owner, context, async (tx) => {
    const { rows } = await tx.query<{ answer: { outcome: string; code?: string; texts?: string[] } }>(
      'select review.erase_texts($1, $2, $3) as answer',
      [execution, exception, reference],
    );
    const answer = rows[0]?.answer;
    if (answer === undefined) throw new Error('bug: erase_texts answered nothing');
    if (answer.outcome === 'done') return { outcome: 'done', texts: answer.texts ?? [] };
    return { outcome: answer.code === 'LEGAL_HOLD' ? 'held' : 'not-found' };
  });
}
