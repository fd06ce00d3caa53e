import 'server-only';
import { amountOf } from '@/lib/domain/amount';
import type { RequestKind, RequestState } from '@/lib/domain/decisions';
import { readExposure, type ExposureFigures } from '@/lib/domain/reissue-exposure';
import type { RequestRow } from '@/lib/domain/request-view';
import {
  afterPosition,
  LARGEST_PAGE,
  orderBy,
  positionOf,
  readCursor,
  takePage,
  type Keyset,
  type Page,
} from './keyset';
import type { ReadContext } from './read-context';
import { REQUEST_LIMITS } from './request-limits';
import { SqlParameters } from './sql-parameters';

/** What waits for somebody first, then the newest. */
const KEYSET: Keyset = {
  columns: [
    {
      expression: `(case r.state when 'PENDING' then 2 when 'APPROVED' then 1 else 0 end)`,
      type: 'smallint',
    },
    { expression: 'r.requested_at', type: 'timestamptz' },
    { expression: 'r.request_id', type: 'uuid' },
  ],
  descending: true,
};

/** Empty lists do not narrow. */
export interface RequestFilter {
  states: readonly RequestState[];
  kinds: readonly RequestKind[];
}

export type ListRequestsAnswer = ({ kind: 'page' } & Page<RequestRow>) | { kind: 'cursor-refused' };

interface Read extends Omit<RequestRow, 'amount' | 'together' | 'mine'> {
  position: string[];
  display: Record<string, unknown> | null;
  valueField: string | null;
  valueCurrency: string | null;
  figures: ExposureFigures | null;
}

/** One page of the requests for a second person in the actor's tenants. Index: approval_requests_waiting. */
export async function listRequests(
  ctx: ReadContext,
  input: { filter: RequestFilter; cursor: string | null; size: number },
): Promise<ListRequestsAnswer> {
  const { filter } = input;
  const size = Math.min(Math.max(1, Math.trunc(input.size)), LARGEST_PAGE);
  const tenants = [...new Set(ctx.actor.tenantIds)].sort();
  const binding = ['requests', JSON.stringify(filter), ...tenants];
  const position = input.cursor === null ? null : readCursor(input.cursor, KEYSET, binding);
  if (input.cursor !== null && position === null) return { kind: 'cursor-refused' };
  const $ = new SqlParameters();
  const conditions = [`r.tenant_id = any(${$.add(tenants, 'text[]')})`, afterPosition(KEYSET, position, $)];
  if (filter.states.length > 0) conditions.push(`r.state = any(${$.add(filter.states, 'text[]')})`);
  if (filter.kinds.length > 0) conditions.push(`r.kind = any(${$.add(filter.kinds, 'text[]')})`);
  const { rows } = await ctx.db.query<Read & Record<string, unknown>>(
    `select ${positionOf(KEYSET)} as position, r.request_id as "requestId", t.display_name as "tenantName", r.kind, r.relation, r.state,
       r.operation, e.idempotency_key as key,
       case when r.execution_id is null then (review.subject_of_terms(e, r.exception_id)).display_fields else e.display_fields end as display,
       coalesce(o.value_field, w.value_field) as "valueField", coalesce(o.value_currency, w.value_currency) as "valueCurrency",
       case when r.relation in ('CORRECTION', 'NEW_WORK') then review.reissue_exposure(e, r.intake_id) end as figures,
       jsonb_build_object('kind', 'person', 'id', r.requested_by, 'name', p.display_name) as "requestedBy",
       ledger.instant(r.requested_at) as "requestedAt", ${REQUEST_LIMITS}, ledger.instant(r.state_since) as "stateSince"
     from review.approval_requests r
     join review.tenants t on t.tenant_id = r.tenant_id
     join review.people p on p.person_id = r.requested_by
     left join ledger.executions e on e.execution_id = r.execution_id
     left join ledger.operation_policies o on o.tenant_id = e.tenant_id and o.operation = e.operation and o.version = e.policy_version
     left join lateral ledger.policy_for(r.tenant_id, r.operation) w on r.execution_id is null
     where ${conditions.join(' and ')}
     order by ${orderBy(KEYSET, position?.backwards ?? false)} limit ${$.add(size + 1, 'integer')}`,
    $.values,
  );
  const page = takePage(rows, size, position, binding);
  return { kind: 'page', ...page, rows: page.rows.map((row) => toRow(row, ctx.actor.personId)) };
}

function toRow(read: Read, me: string): RequestRow {
  const { position: _position, display, valueField, valueCurrency, figures, ...row } = read;
  const both = figures && readExposure(figures).both;
  return {
    ...row,
    amount: both ?? amountOf(display, valueField, valueCurrency),
    together: both !== null,
    mine: row.requestedBy.id === me,
  };
}
