import { type Actor } from '@/lib/domain/actor';
import {
  EXCEPTION_STATES,
  type ExceptionKind,
  type ExceptionState,
  type Severity,
} from '@/lib/domain/exception-kinds';
import { spanOfAge, type DueTime } from '@/lib/domain/queue-query';
import { exceptionMatches, type SearchScope } from './search-scope';
import { type SqlParameters } from './sql-parameters';

/** Empty lists and nulls do not narrow. */
export interface ExceptionFilter {
  kinds: readonly ExceptionKind[];
  states: readonly ExceptionState[];
  severities: readonly Severity[];
  operations: readonly string[];
  systems: readonly string[];
  /** What went wrong and where: `TIMEOUT @ crm`. */
  causes: readonly string[];
  tenants: readonly string[];
  /** Of the operation: what a person must be allowed to decide about. */
  authorities: readonly string[];
  /** `me`, `none`, or a person's id. */
  assignee: string | null;
  /** `2h`: opened longer ago; `<2h`: since then. */
  age: string | null;
  due: DueTime | null;
  /** When the reader's day ends (RFC 3339): what "today" means, kept with the filter so that its pages agree. */
  dayEnds: string | null;
  /** Deferred to a time that has not come. */
  held: boolean | null;
  incident: string | null;
  /** The beginning of a key, request id, result id or business reference, letter for letter; blank does not narrow. */
  text: string;
}

/** No narrowing at all. */
export const ANY_EXCEPTION: ExceptionFilter = {
  kinds: [],
  states: [],
  severities: [],
  operations: [],
  systems: [],
  causes: [],
  tenants: [],
  authorities: [],
  assignee: null,
  age: null,
  due: null,
  dayEnds: null,
  held: null,
  incident: null,
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

// As a value that stands before the scan: the clock itself is volatile, and no index would be used.
const NOW = '(select ledger.clock())';

/** Each exception is due at one of three times; it is on hold until its deferral is over. */
function dueCondition(due: DueTime, dayEnds: string | null, $: SqlParameters): string {
  if (due === 'overdue') return `x.due_at < ${NOW}`;
  const end = dayEnds === null ? `${NOW} + interval '1 day'` : $.add(dayEnds, 'timestamptz');
  return due === 'today'
    ? `x.due_at >= ${NOW} and x.due_at < ${end}`
    : `x.due_at >= greatest(${NOW}, ${end})`;
}

type Part =
  | 'search'
  | 'kind'
  | 'severity'
  | 'operation'
  | 'system'
  | 'cause'
  | 'authority'
  | 'age'
  | 'assignee'
  | 'due'
  | 'held'
  | 'incident';

/**
 * What a filter says about `review.exceptions x`, part by part, apart from tenant and state, which the callers walk through
 * one by one to stay in the order of an index. The one home of the queue's conditions: list, figures, facets, groups and badge
 * all read it (R-051). Parts that do not narrow are absent.
 */
export function exceptionParts(
  filter: ExceptionFilter,
  search: SearchScope,
  actor: Pick<Actor, 'personId'>,
  $: SqlParameters,
): Partial<Record<Part, string>> {
  const parts: Partial<Record<Part, string>> = {};
  if (search.kind !== 'none') parts.search = exceptionMatches(search, $);
  if (filter.kinds.length > 0) parts.kind = `x.kind = any(${$.add(filter.kinds, 'text[]')})`;
  if (filter.severities.length > 0)
    parts.severity = `x.severity = any(${$.add(filter.severities, 'smallint[]')})`;
  if (filter.operations.length > 0)
    parts.operation = `x.operation = any(${$.add(filter.operations, 'text[]')})`;
  if (filter.systems.length > 0) parts.system = `x.system = any(${$.add(filter.systems, 'text[]')})`;
  if (filter.causes.length > 0) parts.cause = `x.cause = any(${$.add(filter.causes, 'text[]')})`;
  if (filter.authorities.length > 0) parts.authority = authorityIn(filter.authorities, $);
  if (filter.age !== null) {
    const { younger, seconds } = spanOfAge(filter.age);
    const then = `${NOW} - ${$.add(`${seconds} seconds`, 'interval')}`;
    parts.age = `x.opened_at ${younger ? '>' : '<='} ${then}`;
  }
  if (filter.assignee === 'none') parts.assignee = 'x.assignee_id is null';
  else if (filter.assignee !== null) {
    const personId = filter.assignee === 'me' ? actor.personId : filter.assignee;
    parts.assignee = `x.assignee_id = ${$.add(personId, 'uuid')}`;
  }
  if (filter.due !== null) parts.due = dueCondition(filter.due, filter.dayEnds, $);
  if (filter.held !== null)
    parts.held = filter.held
      ? `x.deferred_until > ${NOW}`
      : `(x.deferred_until is null or x.deferred_until <= ${NOW})`;
  if (filter.incident !== null)
    parts.incident = `exists (select from review.incident_members m where m.exception_id = x.exception_id and m.incident_id = ${$.add(filter.incident, 'uuid')})`;
  return parts;
}

/** All parts of a filter as one condition. */
export function exceptionConditions(
  filter: ExceptionFilter,
  search: SearchScope,
  actor: Pick<Actor, 'personId'>,
  $: SqlParameters,
): string {
  return Object.values(exceptionParts(filter, search, actor, $)).join(' and ') || 'true';
}

// An operation without a policy has the default's. Index: operation_policies_in_force.
function authorityIn(authorities: readonly string[], $: SqlParameters): string {
  const own = `select p.authority from ledger.operation_policies p where p.tenant_id = x.tenant_id and p.operation = x.operation and p.retired_at is null`;
  const other = `select p.authority from ledger.operation_policies p where p.tenant_id = '*' and p.operation = '*' and p.retired_at is null`;
  return `coalesce((${own}), (${other})) = any(${$.add(authorities, 'text[]')})`;
}
