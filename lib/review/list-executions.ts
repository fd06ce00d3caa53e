import 'server-only';
import { amountOf } from '@/lib/domain/amount';
import { type ExecutionRow } from '@/lib/domain/execution-row';
import { EXECUTION_STATES, type ExecutionState } from '@/lib/domain/states';
import { tenantsOf } from './exception-filter';
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
import { executionMatches, searchScope } from './search-scope';
import { SqlParameters } from './sql-parameters';

export const EXECUTION_SORTS = ['-created', 'created'] as const;

export type ExecutionSort = (typeof EXECUTION_SORTS)[number];

/** Empty lists do not narrow. */
export interface ExecutionFilter {
  states: readonly ExecutionState[];
  operations: readonly string[];
  tenants: readonly string[];
  /** The beginning of a key, request id, result id or business reference, letter for letter; blank does not narrow. */
  text: string;
}

export interface ListExecutionsInput {
  filter: ExecutionFilter;
  sort: ExecutionSort;
  cursor: string | null;
  size: number;
}

export type ListExecutionsAnswer =
  ({ kind: 'page' } & Page<ExecutionRow>) | { kind: 'cursor-refused' | 'search-too-broad' };

interface Read extends Omit<ExecutionRow, 'amount'> {
  position: string[];
  displayFields: Record<string, unknown> | null;
  valueField: string | null;
  valueCurrency: string | null;
}

/**
 * One page of the ledger's records in the actor's tenants, newest first unless asked otherwise. Walks tenant and state in
 * the order of executions_recent or executions_by_state and merges.
 */
export async function listExecutions(
  ctx: ReadContext,
  input: ListExecutionsInput,
): Promise<ListExecutionsAnswer> {
  const { filter, sort } = input;
  const size = Math.min(Math.max(1, Math.trunc(input.size)), LARGEST_PAGE);
  const keyset: Keyset = {
    columns: [
      { expression: 'e.created_at', type: 'timestamptz' },
      { expression: 'e.execution_id', type: 'uuid' },
    ],
    descending: sort === '-created',
  };
  const tenants = tenantsOf(ctx.actor, filter);
  const binding = ['executions', sort, JSON.stringify(filter), ...tenants];
  const position = input.cursor === null ? null : readCursor(input.cursor, keyset, binding);
  if (input.cursor !== null && position === null) return { kind: 'cursor-refused' };

  const search = await searchScope(ctx.db, filter.text, tenants);
  if (search === 'too-broad') return { kind: 'search-too-broad' };
  const $ = new SqlParameters();
  const ordered = orderBy(keyset, position?.backwards ?? false);
  const operation =
    filter.operations.length === 0 ? 'true' : `e.operation = any(${$.add(filter.operations, 'text[]')})`;
  // All states in one index walk; some of them one by one.
  const states =
    filter.states.length === 0 || filter.states.length === EXECUTION_STATES.length ? null : filter.states;
  const { rows } = await ctx.db.query<Read & Record<string, unknown>>(
    `with page as materialized (
       select e.execution_id from unnest(${$.add(tenants, 'text[]')}) as t (tenant_id)
       cross join unnest(${$.add(states ?? ['*'], 'text[]')}) as s (state)
       cross join lateral (
         select e.execution_id, e.created_at from ledger.executions e
         where e.tenant_id = t.tenant_id ${states === null ? '' : 'and e.state = s.state'}
           and ${operation} and ${executionMatches(search, $)} and ${afterPosition(keyset, position, $)}
         order by ${ordered} limit ${$.add(size + 1, 'integer')}) e
       order by ${ordered} limit ${$.add(size + 1, 'integer')})
     select ${positionOf(keyset)} as position, e.execution_id as "executionId", t.display_name as "tenantName", e.operation,
       e.idempotency_key as "idempotencyKey", e.state, ledger.instant(e.state_since) as "stateSince", e.target_system as "targetSystem",
       e.target_account as "targetAccount", e.result_id as "resultId", e.attempt, ledger.instant(e.created_at) as "createdAt",
       (select count(*) from (select from ledger.intakes i where i.execution_id = e.execution_id limit 1000) bounded)::integer as intakes,
       review.is_under_review(e.lineage_id) as "underReview", e.superseded_by is not null as superseded,
       e.reissue_of is not null as "isReissue",
       e.display_fields as "displayFields", p.value_field as "valueField", p.value_currency as "valueCurrency"
     from page join ledger.executions e using (execution_id)
     join review.tenants t on t.tenant_id = e.tenant_id
     left join ledger.operation_policies p on p.tenant_id = e.tenant_id and p.operation = e.operation and p.version = e.policy_version
     order by ${ordered}`,
    $.values,
  );
  const page = takePage(rows, size, position, binding);
  return { kind: 'page', ...page, rows: page.rows.map(toRow) };
}

// Named one by one: what is not listed here does not leave the server.
function toRow(read: Read): ExecutionRow {
  return {
    executionId: read.executionId,
    tenantName: read.tenantName,
    operation: read.operation,
    idempotencyKey: read.idempotencyKey,
    state: read.state,
    stateSince: read.stateSince,
    targetSystem: read.targetSystem,
    targetAccount: read.targetAccount,
    resultId: read.resultId,
    amount: amountOf(read.displayFields, read.valueField, read.valueCurrency),
    attempt: read.attempt,
    intakes: read.intakes,
    createdAt: read.createdAt,
    underReview: read.underReview,
    superseded: read.superseded,
    isReissue: read.isReissue,
  };
}
