import { type Actor } from '@/lib/domain/actor';
import {
  EXCEPTION_STATES,
  type ExceptionKind,
  type ExceptionState,
  type Severity,
} from '@/lib/domain/exception-kinds';
import { exceptionMatches, type SearchScope } from './search-scope';
import { type SqlParameters } from './sql-parameters';

/** Ages that the queue can be narrowed to, as PostgreSQL intervals. */
export const AGE_LIMITS = {
  '5m': '5 minutes',
  '1h': '1 hour',
  '4h': '4 hours',
  '1d': '1 day',
  '7d': '7 days',
} as const;

export type AgeLimit = keyof typeof AGE_LIMITS;

/** Empty lists and nulls do not narrow. */
export interface ExceptionFilter {
  kinds: readonly ExceptionKind[];
  states: readonly ExceptionState[];
  severities: readonly Severity[];
  operations: readonly string[];
  tenants: readonly string[];
  /** `me`, `none`, or a person's id. */
  assignee: string | null;
  olderThan: AgeLimit | null;
  /** The beginning of a key, request id, result id or business reference, letter for letter; blank does not narrow. */
  text: string;
}

/** No narrowing at all. */
export const ANY_EXCEPTION: ExceptionFilter = {
  kinds: [],
  states: [],
  severities: [],
  operations: [],
  tenants: [],
  assignee: null,
  olderThan: null,
  text: '',
};

export function statesOf(filter: Pick<ExceptionFilter, 'states'>): readonly ExceptionState[] {
  return filter.states.length === 0 ? EXCEPTION_STATES : filter.states;
}

/** The tenants that a filter leaves of the granted ones. Empty means: no row, never "all". */
export function tenantsOf(
  actor: Pick<Actor, 'tenantIds'>,
  filter: Pick<ExceptionFilter, 'tenants'>,
): string[] {
  const granted = [...new Set(actor.tenantIds)].sort();
  return filter.tenants.length === 0 ? granted : granted.filter((tenant) => filter.tenants.includes(tenant));
}

/**
 * What a filter says about `review.exceptions x`, apart from tenant and state, which the callers walk through one by one
 * to stay in the order of an index. The one home of the queue's conditions: list, figures and badge all read it.
 */
export function exceptionConditions(
  filter: ExceptionFilter,
  search: SearchScope,
  actor: Actor,
  $: SqlParameters,
): string {
  const parts = [exceptionMatches(search, $)];
  if (filter.kinds.length > 0) parts.push(`x.kind = any(${$.add(filter.kinds, 'text[]')})`);
  if (filter.severities.length > 0) parts.push(`x.severity = any(${$.add(filter.severities, 'smallint[]')})`);
  if (filter.operations.length > 0) parts.push(`x.operation = any(${$.add(filter.operations, 'text[]')})`);
  if (filter.olderThan !== null) {
    parts.push(`x.opened_at <= ledger.clock() - ${$.add(AGE_LIMITS[filter.olderThan], 'interval')}`);
  }
  if (filter.assignee === 'none') parts.push('x.assignee_id is null');
  else if (filter.assignee === 'me') parts.push(`x.assignee_id = ${$.add(actor.personId, 'uuid')}`);
  else if (filter.assignee !== null) parts.push(`x.assignee_id = ${$.add(filter.assignee, 'uuid')}`);
  return parts.join(' and ');
}
