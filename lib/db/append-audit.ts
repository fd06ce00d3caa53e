import type { AuditEventName, AuditOutcome } from '@/lib/domain/audit-events';
import type { Transaction } from './transaction';

/** What an event tells; who did it, when and from where comes from the transaction's context. */
export interface AuditEntry {
  event: AuditEventName;
  outcome: AuditOutcome;
  /** Required when refused, absent when done. */
  refusalCode?: string;
  tenantId?: string;
  exceptionId?: string;
  executionId?: string;
  approvalRequestId?: string;
  operation?: string;
  operationId?: string;
  /** before, after, rationale, evidence; no secrets and no personal data. */
  body?: Record<string, unknown>;
}

/**
 * Adds an event to the chain as the last step of a transaction: it holds the head until COMMIT.
 * Here and not in lib/audit, because each sibling above lib/db records its own acts and none of them knows another.
 * The app's role can tell refusals, searches, exports and goodbyes so; every other event is told by the function that makes the change.
 * @returns the event's number, in decimal digits
 */
export async function appendAudit(tx: Transaction, entry: AuditEntry): Promise<string> {
  const { rows } = await tx.query<{ number: string }>(
    `select review.record_act($1, $2, $3, $4, $5::uuid, $6::uuid, $7::uuid, $8, $9::uuid, $10::jsonb) as number`,
    [
      entry.event,
      entry.outcome,
      entry.refusalCode ?? null,
      entry.tenantId ?? null,
      entry.exceptionId ?? null,
      entry.executionId ?? null,
      entry.approvalRequestId ?? null,
      entry.operation ?? null,
      entry.operationId ?? null,
      JSON.stringify(entry.body ?? {}),
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('bug: append_audit returned no number');
  return row.number;
}
