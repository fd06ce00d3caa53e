import 'server-only';
import { isUnreachable } from '@/lib/db/sqlstate';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { isRefusalCode } from '@/lib/domain/refusals';
import { safeParse } from '@/lib/domain/safe-parse';
import { operationId as operationIdInput } from './command-input';
import type { DeskContext, DeskReader } from './desk-context';

interface Trace {
  event: string;
  outcome: 'done' | 'refused' | 'failed';
  refusal_code: string | null;
  request_id: string | null;
  void_reason: string | null;
}

// Every act of the desk leaves an audit event with its operation id in the transaction of the act: if it is not there,
// the act has not happened. A done one wins over refusals of a repetition; of an id that was tried for two acts nothing is
// told to have happened. Index: audit_events_operation_id.
const TRACE = `
  select e.event, e.outcome, e.refusal_code, r.request_id, about.void_reason from review.audit_events e
  left join review.approval_requests r on r.operation_id = e.operation_id
  left join review.approval_requests about on about.request_id = e.approval_request_id
  where e.operation_id = $1::uuid and e.actor_id = $2
  order by coalesce(e.refusal_code, '') = 'OPERATION_ID_USED' desc, e.outcome = 'done' desc, e.number desc limit 1`;

/**
 * What became of an act whose answer was lost: its answer, or still unknown. Never "failed": a commit that is
 * under way shows up a moment later, and sending the same operation id again is safe.
 */
export async function settleOperation(
  ctx: DeskReader | DeskContext,
  operationId: string,
): Promise<CommandAnswer> {
  if (!safeParse(operationIdInput, operationId).success) return { outcome: 'refused', code: 'INVALID_INPUT' };
  try {
    const { rows } = await ctx.pool.query<Trace>(TRACE, [operationId, ctx.actor.personId]);
    const trace = rows[0];
    if (trace === undefined) return { outcome: 'unknown' };
    if (trace.outcome === 'refused' && isRefusalCode(trace.refusal_code))
      return { outcome: 'refused', code: trace.refusal_code };
    // The act ended the request instead of deciding it.
    if (trace.event.endsWith('.voided'))
      return { outcome: 'refused', code: 'REQUEST_VOID', voidReason: trace.void_reason };
    if (trace.event.endsWith('.expired')) return { outcome: 'refused', code: 'REQUEST_EXPIRED' };
    return trace.request_id === null
      ? { outcome: 'done', repeated: true }
      : { outcome: 'requested', repeated: true, requestId: trace.request_id };
  } catch (error) {
    if (isUnreachable(error)) return { outcome: 'unknown' };
    throw error;
  }
}
