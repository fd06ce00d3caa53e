import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import type { AuditEventName } from '@/lib/domain/audit-events';
import type { RefusalCode } from '@/lib/domain/refusals';
import type { DeskContext } from './desk-context';

interface Subject {
  operationId?: string;
  exceptionId?: string;
  executionId?: string;
  requestId?: string;
}

interface Known {
  tenant_id: string;
  exception_id: string | null;
  execution_id: string | null;
  operation: string;
}

// Only what the person may see gets its tenant into the event: it shows there.
const EXCEPTION = `select tenant_id, exception_id, execution_id, operation from review.exceptions
  where exception_id = $1::uuid and tenant_id = any($2::text[])`;
const REQUEST = `select tenant_id, exception_id, execution_id, operation from review.approval_requests
  where request_id = $1::uuid and tenant_id = any($2::text[])`;

const EXECUTION = `select tenant_id, null as exception_id, execution_id, operation from ledger.executions
  where execution_id = $1::uuid and tenant_id = any($2::text[])`;

/** What the refused act was about: the most telling of the ids that it names. */
function question({ requestId, exceptionId, executionId }: Subject): { text: string; id: string } | null {
  if (requestId !== undefined) return { text: REQUEST, id: requestId };
  if (exceptionId !== undefined) return { text: EXCEPTION, id: exceptionId };
  return executionId === undefined ? null : { text: EXECUTION, id: executionId };
}

/** Keeps a refusal that no SQL function has audited, in a transaction of its own: the act itself did not come about. */
export async function auditRefusal(
  ctx: DeskContext,
  event: AuditEventName,
  code: RefusalCode,
  subject: Subject,
  body: Record<string, unknown>,
): Promise<void> {
  await transaction(ctx.pool, ctx.context, async (tx) => {
    const asked = question(subject);
    const known =
      asked === null
        ? undefined
        : (await tx.query<Known & Record<string, unknown>>(asked.text, [asked.id, ctx.actor.tenantIds]))
            .rows[0];
    await appendAudit(tx, {
      event,
      outcome: 'refused',
      refusalCode: code,
      body,
      ...(subject.operationId === undefined ? {} : { operationId: subject.operationId }),
      ...(known === undefined
        ? {}
        : {
            tenantId: known.tenant_id,
            ...(known.exception_id === null ? {} : { exceptionId: known.exception_id }),
            operation: known.operation,
            ...(known.execution_id === null ? {} : { executionId: known.execution_id }),
            ...(subject.requestId === undefined ? {} : { approvalRequestId: subject.requestId }),
          }),
    });
  });
}
