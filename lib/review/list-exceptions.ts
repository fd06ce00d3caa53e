import 'server-only';
import { amountOf } from '@/lib/domain/amount';
import { type ExceptionSort } from '@/lib/domain/exception-sorts';
import { type ExceptionRow } from '@/lib/domain/exception-row';
import { type ExceptionKind, type ExceptionState, type Severity } from '@/lib/domain/exception-kinds';
import { type ExecutionState } from '@/lib/domain/states';
import { exceptionConditions, statesOf, tenantsOf, type ExceptionFilter } from './exception-filter';
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
import { type ReadContext } from './read-context';
import { searchScope } from './search-scope';
import { SqlParameters } from './sql-parameters';
import { STEP_FIELDS, stepOf, type StepRead } from './step-fields';

const id = { expression: 'x.exception_id', type: 'uuid' } as const;

/** The orders of the queue, each with an index of its own. */
const ORDERS = {
  severity: [
    { expression: 'x.severity', type: 'smallint' },
    { expression: 'x.due_at', type: 'timestamptz' },
    id,
  ],
  due: [{ expression: 'x.due_at', type: 'timestamptz' }, id],
  opened: [{ expression: 'x.opened_at', type: 'timestamptz' }, id],
} as const satisfies Record<string, Keyset['columns']>;

export interface ListExceptionsInput {
  filter: ExceptionFilter;
  sort: ExceptionSort;
  cursor: string | null;
  /** Rows; never more than LARGEST_PAGE. */
  size: number;
}

export type ListExceptionsAnswer =
  ({ kind: 'page' } & Page<ExceptionRow>) | { kind: 'cursor-refused' | 'search-too-broad' };

interface Read {
  position: string[];
  exception_id: string;
  tenant_id: string;
  tenant_name: string;
  kind: ExceptionKind;
  state: ExceptionState;
  severity: Severity;
  operation: string;
  opened_at: string;
  due_at: string;
  closed_at: string | null;
  deferred_until: string | null;
  assignee_id: string | null;
  assignee_name: string | null;
  execution_id: string | null;
  idempotency_key: string | null;
  execution_state: ExecutionState | null;
  state_since: string | null;
  display_fields: Record<string, unknown> | null;
  value_field: string | null;
  value_currency: string | null;
  step: StepRead;
  version: string;
}

/**
 * One page of the queue for the actor's tenants. Walks each tenant and state in index order and merges, so that a page
 * costs a page however many rows there are. A cursor holds for this order, these filters and these tenants alone.
 */
export async function listExceptions(
  ctx: ReadContext,
  input: ListExceptionsInput,
): Promise<ListExceptionsAnswer> {
  const { filter, sort } = input;
  const size = Math.min(Math.max(1, Math.trunc(input.size)), LARGEST_PAGE);
  const descending = sort.startsWith('-');
  const order = sort.replace('-', '') as keyof typeof ORDERS;
  const keyset: Keyset = { columns: ORDERS[order], descending };
  const tenants = tenantsOf(ctx.actor, filter);
  const binding = [
    'exceptions',
    sort,
    JSON.stringify({ ...filter, me: filter.assignee === 'me' ? ctx.actor.personId : null }),
    ...tenants,
  ];
  const position = input.cursor === null ? null : readCursor(input.cursor, keyset, binding);
  if (input.cursor !== null && position === null) return { kind: 'cursor-refused' };

  const search = await searchScope(ctx.db, filter.text, tenants);
  if (search === 'too-broad') return { kind: 'search-too-broad' };
  const $ = new SqlParameters();
  const ordered = orderBy(keyset, position?.backwards ?? false);
  const statement = `
    with page as materialized (
      select x.exception_id from unnest(${$.add(tenants, 'text[]')}) as t (tenant_id)
      cross join unnest(${$.add(statesOf(filter), 'text[]')}) as s (state)
      cross join lateral (
        select * from review.exceptions x
        where x.tenant_id = t.tenant_id and x.state = s.state
          and ${exceptionConditions(filter, search, ctx.actor, $)} and ${afterPosition(keyset, position, $)}
        order by ${ordered} limit ${$.add(size + 1, 'integer')}) x
      order by ${ordered} limit ${$.add(size + 1, 'integer')})
    select ${positionOf(keyset)} as position, x.exception_id, x.tenant_id, t.display_name as tenant_name, x.kind, x.state,
      x.severity, x.operation, x.version::text as version, ledger.instant(x.opened_at) as opened_at, ledger.instant(x.due_at) as due_at,
      ledger.instant(x.closed_at) as closed_at, ledger.instant(x.deferred_until) as deferred_until,
      x.assignee_id, a.display_name as assignee_name,
      e.execution_id, e.idempotency_key, e.state as execution_state, ledger.instant(e.state_since) as state_since,
      e.display_fields, p.value_field, p.value_currency, ${STEP_FIELDS} as step
    from page join review.exceptions x using (exception_id)
    join review.tenants t on t.tenant_id = x.tenant_id
    left join review.people a on a.person_id = x.assignee_id
    left join ledger.executions e on e.execution_id = x.execution_id
    left join ledger.operation_policies p on p.tenant_id = e.tenant_id and p.operation = e.operation and p.version = e.policy_version
    order by ${ordered}`;
  const { rows } = await ctx.db.query<Read>(statement, $.values);
  const page = takePage(rows, size, position, binding);
  return { kind: 'page', ...page, rows: page.rows.map(toRow) };
}

function toRow(read: Read): ExceptionRow {
  return {
    exceptionId: read.exception_id,
    tenantId: read.tenant_id,
    tenantName: read.tenant_name,
    kind: read.kind,
    state: read.state,
    severity: read.severity,
    operation: read.operation,
    idempotencyKey: read.idempotency_key,
    execution:
      read.execution_id === null || read.execution_state === null || read.state_since === null
        ? null
        : { executionId: read.execution_id, state: read.execution_state, stateSince: read.state_since },
    amount: amountOf(read.display_fields, read.value_field, read.value_currency),
    openedAt: read.opened_at,
    dueAt: read.due_at,
    closedAt: read.closed_at,
    deferredUntil: read.deferred_until,
    assignee:
      read.assignee_id === null || read.assignee_name === null
        ? null
        : { personId: read.assignee_id, displayName: read.assignee_name },
    nextStep: stepOf(read, read.step),
    version: read.version,
  };
}
