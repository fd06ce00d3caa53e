import 'server-only';
import type { Queryable } from '@/lib/db/pool';
import type { AuditRecord } from '@/lib/domain/audit-events';
import type { ChainPoint } from './verifier/follow-chain.mjs';

/** The columns of an event in the text form that is hashed and exported; the instant independent of the session's settings. */
export const RECORD_COLUMNS = `
  number::text as "number", event_id::text as "eventId",
  review.audit_instant(occurred_at) as "occurredAt",
  event, outcome, refusal_code as "refusalCode", actor_kind as "actorKind", actor_id as "actorId",
  actor_name as "actorName", actor_roles as "actorRoles", tenant_id as "tenantId",
  exception_id::text as "exceptionId", execution_id::text as "executionId",
  approval_request_id::text as "approvalRequestId", operation, operation_id::text as "operationId", body,
  http_request_id as "httpRequestId", source_address as "sourceAddress",
  encode(previous_hash, 'hex') as "previousHash", encode(hash, 'hex') as hash,
  (select jsonb_object_agg(path, jsonb_build_object('value', value, 'salt', encode(salt, 'hex')))
     from review.audit_texts where event_number = number) as texts`;

/** The events from a number on, in order, at most `limit`. Without a lower end: a number below 1 must not stay unseen. */
export async function readRecords(
  from: Queryable,
  after: bigint | null,
  limit: number,
): Promise<AuditRecord[]> {
  const { rows } = await from.query<AuditRecord>(
    `select ${RECORD_COLUMNS} from review.audit_events
      where $1::bigint is null or audit_events.number > $1::bigint order by audit_events.number limit $2`,
    [after === null ? null : after.toString(), limit],
  );
  return rows;
}

/** The head and the greatest number there is, as of one moment. */
export async function readHead(from: Queryable): Promise<{ head: ChainPoint | null; last: bigint }> {
  const { rows } = await from.query<{ number: string | null; hash: string | null; last: string }>(
    `select h.number::text as number, encode(h.hash, 'hex') as hash, coalesce(e.last, 0)::text as last
       from (select max(number) as last from review.audit_events) e left join review.audit_head h on true
      limit 1`,
  );
  const [row] = rows;
  if (!row) throw new Error('bug: the head query returned no row');
  const head =
    row.number === null || row.hash === null ? null : { number: BigInt(row.number), hash: row.hash };
  return { head, last: BigInt(row.last) };
}
