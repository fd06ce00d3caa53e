import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';

/** What the texts are about: work, a person whose account was changed, a policy, a connector, or one refused act that names none of them. */
export type ErasedSubject =
  | { execution: string }
  | { exception: string }
  | { person: string }
  | { policy: { tenantId: string; operation: string } }
  | { connector: string }
  | { event: string };

export type Erasure =
  /** `NUMBER/PATH` of each text that the audit does not hold any more. */
  | { outcome: 'done'; texts: readonly string[] }
  /** It is open, under way, waiting or in doubt: what was written about it is still needed. On record. */
  | { outcome: 'held' }
  | { outcome: 'not-found' };

/** AU-18 Erases what people wrote about one subject, and says so in an event. For the database's owner alone. */
export function eraseTexts(
  owner: Pool,
  context: TransactionContext,
  subject: ErasedSubject,
  reference: string,
): Promise<Erasure> {
  return transaction(owner, context, async (tx) => {
    const { rows } = await tx.query<{ answer: { outcome: string; code?: string; texts?: string[] } }>(
      'select review.erase_texts($1, $2) as answer',
      [subject, reference],
    );
    const answer = rows[0]?.answer;
    if (answer === undefined) throw new Error('bug: erase_texts answered nothing');
    if (answer.outcome === 'done') return { outcome: 'done', texts: answer.texts ?? [] };
    return { outcome: answer.code === 'LEGAL_HOLD' ? 'held' : 'not-found' };
  });
}
