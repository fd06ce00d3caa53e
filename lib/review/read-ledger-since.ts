import 'server-only';
import type { AuditRecord } from '@/lib/domain/audit-events';
import type { LedgerSince } from '@/lib/domain/ledger-since';
import type { ReadContext } from './read-context';

// Indexes: executions_pkey, intakes_by_execution, attempts_pkey, executions_by_original.
const SINCE = `
  select e.execution_id as "executionId", e.idempotency_key as key, e.state, ledger.instant(e.state_since) as "stateSince",
    e.result_id as "resultId",
    (select count(*)::integer from ledger.attempts a where a.execution_id = e.execution_id and a.started_at > $3::timestamptz) as attempts,
    (select jsonb_build_object('count', count(*), 'lastAt', ledger.instant(max(i.received_at)),
        'answer', (array_agg(i.disposition order by i.received_at desc, i.intake_id desc))[1])
      from ledger.intakes i where i.execution_id = e.execution_id and i.received_at > $3::timestamptz having count(*) > 0) as arrivals,
    coalesce((select jsonb_agg(jsonb_build_object('executionId', n.execution_id, 'key', n.idempotency_key,
        'relation', n.reissue_relation, 'state', n.state, 'resultId', n.result_id) order by n.created_at, n.execution_id)
      from ledger.executions n where n.reissue_of = e.execution_id and n.tenant_id = any($2::text[])), '[]') as made
  from ledger.executions e where e.execution_id = $1::uuid and e.tenant_id = any($2::text[])`;

/** Null for an event about no execution, or about one that is not in the reader's tenants. */
export async function readLedgerSince(ctx: ReadContext, event: AuditRecord): Promise<LedgerSince | null> {
  if (event.executionId === null) return null;
  const { rows } = await ctx.db.query<LedgerSince & Record<string, unknown>>(SINCE, [
    event.executionId,
    ctx.actor.tenantIds,
    event.occurredAt,
  ]);
  return rows[0] ?? null;
}
