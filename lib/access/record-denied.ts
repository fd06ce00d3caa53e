import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';

/** What was tried and why it was refused. `tenantId` only when the person may see that tenant: the event shows in it. */
export interface Denial {
  act: string;
  reason: string;
  tenantId?: string;
  exceptionId?: string;
  executionId?: string;
  approvalRequestId?: string;
  operation?: string;
  operationId?: string;
}

/** Keeps a refused act in the audit, in a transaction of its own since the act itself did not come about. */
export async function recordDenied(pool: Pool, context: TransactionContext, denial: Denial): Promise<void> {
  const { act, reason, ...subject } = denial;
  await transaction(pool, context, (tx) =>
    appendAudit(tx, {
      event: 'access.denied',
      outcome: 'refused',
      refusalCode: reason,
      ...subject,
      body: { act },
    }),
  );
}
