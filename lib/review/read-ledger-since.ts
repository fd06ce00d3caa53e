import 'server-only';
import { RECORD_COLUMNS } from '@/lib/audit/audit-records';
import { memberOf } from '@/lib/domain/audit-body';
import { LOOKS } from '@/lib/domain/audit-told';
import type { AuditRecord } from '@/lib/domain/audit-events';
import type { LedgerSince, MadeFor } from '@/lib/domain/ledger-since';
import type { ReadContext } from './read-context';

// Indexes: executions_pkey, executions_by_original, intakes_by_execution, attempts_pkey, lookups_by_execution, audit_events_execution. What came to the event's execution counts
// from the event on; a new key's whole life came after what it was made for.
const SINCE = `
  select e.execution_id as "executionId", e.idempotency_key as key, e.state, ledger.instant(e.state_since) as "stateSince",
    case when e.expired_from is not null then jsonb_build_object('state', e.expired_from, 'at', ledger.instant((select max(a.ended_at)
      from ledger.attempts a where a.execution_id = e.execution_id))) end as "endedAs",
    e.result_id as "resultId", e.result_url as "resultUrl", e.reissue_relation as relation, ledger.instant(e.created_at) as "madeAt",
    (select jsonb_build_object('count', count(*), 'firstAt', ledger.instant(min(a.started_at)),
        'lastOwner', (array_agg(a.owner order by a.attempt desc))[1],
        'effectAt', ledger.instant((array_agg(a.effect_started_at order by a.attempt desc))[1]),
        'endedAt', ledger.instant((array_agg(a.ended_at order by a.attempt desc))[1]))
      from ledger.attempts a where a.execution_id = e.execution_id and a.started_at > w.since having count(*) > 0) as attempts,
    (select jsonb_build_object('count', count(*), 'lastAt', ledger.instant(max(i.received_at)),
        'answer', (array_agg(i.disposition order by i.received_at desc, i.intake_id desc))[1],
        'senders', jsonb_agg(distinct coalesce(p.display_name, i.principal_id)))
      from ledger.intakes i left join ledger.principals p on p.principal_id = i.principal_id
      where i.execution_id = e.execution_id and i.received_at > w.since having count(*) > 0) as arrivals,
    (select jsonb_build_object('count', count(*), 'verdict', (array_agg(l.verdict order by l.checked_at desc, l.lookup_id desc))[1],
        'resultId', (array_agg(l.result_id order by l.checked_at desc, l.lookup_id desc))[1],
        'lookupId', (array_agg(l.lookup_id order by l.checked_at desc, l.lookup_id desc))[1])
      from review.lookups l where l.execution_id = e.execution_id and l.checked_at > w.since having count(*) > 0) as looks
  from ledger.executions e
  cross join lateral (select case when e.execution_id = $1::uuid then $3::timestamptz else '-infinity' end as since) w
  where (e.execution_id = $1::uuid or e.reissue_of = $1::uuid) and e.tenant_id = any($2::text[])
  order by e.execution_id <> $1::uuid, e.created_at, e.execution_id`;

type Look = NonNullable<MadeFor['looks']>;
type Row = Omit<MadeFor, 'looks'> & {
  looks: (Omit<Look, 'event'> & { lookupId: string }) | null;
} & Record<string, unknown>;

const EVENTS_OF_LOOKS = `
  select ${RECORD_COLUMNS} from review.audit_events e where e.execution_id = any($1::uuid[]) and e.tenant_id = any($2::text[])
    and e.event = any($3::text[]) and e.outcome = 'done' and substring(e.body from '"lookupId": "([0-9a-f-]{36})"') = any($4::text[])`;

/** Null for an event about no execution, or about one that is not in the reader's tenants. */
export async function readLedgerSince(ctx: ReadContext, event: AuditRecord): Promise<LedgerSince | null> {
  if (event.executionId === null) return null;
  const { rows } = await ctx.db.query<Row>(SINCE, [event.executionId, ctx.actor.tenantIds, event.occurredAt]);
  const [own, ...made] = await withEvents(ctx, rows);
  return own === undefined || own.executionId !== event.executionId ? null : { ...own, made };
}

/** The last looks with the events that recorded them. */
async function withEvents(ctx: ReadContext, rows: readonly Row[]): Promise<MadeFor[]> {
  const looked = rows.filter(({ looks }) => looks !== null);
  const { rows: events } =
    looked.length === 0
      ? { rows: [] }
      : await ctx.db.query<AuditRecord>(EVENTS_OF_LOOKS, [
          looked.map(({ executionId }) => executionId),
          ctx.actor.tenantIds,
          LOOKS,
          looked.map(({ looks }) => looks?.lookupId),
        ]);
  const byLook = new Map(events.map((event) => [memberOf(event, 'lookupId'), event]));
  return rows.map(({ looks, ...row }) => {
    if (looks === null) return { ...row, looks };
    const { lookupId, ...look } = looks;
    return { ...row, looks: { ...look, event: byLook.get(lookupId) ?? null } };
  });
}
