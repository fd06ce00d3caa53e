import { type Actor } from '@/lib/domain/actor';
import { hasRoleFor } from '@/lib/domain/permissions';
import { type AuditEventName, type AuditOutcome } from '@/lib/domain/audit-events';
import { aboutExecutions } from './about-executions';
import { aboutPeople } from './about-people';
import { auditMatches, type AuditSearch } from './audit-search';
import { type SqlParameters } from './sql-parameters';
import { ofStory } from './story-events';

/** Empty lists, blanks and nulls do not narrow. */
export interface AuditFilter {
  events: readonly AuditEventName[];
  outcomes: readonly AuditOutcome[];
  /** A person's id, or a system actor such as `system:worker`: who acted, asked for it or decided it. */
  actorId: string | null;
  operations: readonly string[];
  tenants: readonly string[];
  executionId: string | null;
  exceptionId: string | null;
  approvalRequestId: string | null;
  /** The number of an event: the events of its story. */
  storyOf: string | null;
  /** RFC 3339; from this instant on. */
  since: string | null;
  /** RFC 3339; before this instant. */
  until: string | null;
  /**
   * The beginning of a key, request id, result id or business reference of the execution that the event is about, letter for
   * letter; else a text anywhere in the event's words, names and ids, whatever the case.
   */
  text: string;
  /** `words`: the text is looked for in words even when it names executions. */
  scope: 'words' | null;
  /** Searches push what people decide off the page; a list that asks for them by name shows them all the same. */
  hidden: 'searches' | null;
}

/** No narrowing at all. */
export const ANY_AUDIT_EVENT: AuditFilter = {
  events: [],
  outcomes: [],
  actorId: null,
  operations: [],
  tenants: [],
  executionId: null,
  exceptionId: null,
  approvalRequestId: null,
  storyOf: null,
  since: null,
  until: null,
  text: '',
  scope: null,
  hidden: null,
};

/** The tenants whose events the actor reads: the granted ones, for whoever has a role on the desk at all. */
export function auditTenantsOf(actor: Actor): readonly string[] {
  return hasRoleFor(actor, 'audit.read') ? actor.tenantIds : [];
}

/**
 * What a filter says about `review.audit_events e`, apart from the tenant, which the callers walk through.
 * @param search what the filter's text means
 */
export function auditConditions(filter: AuditFilter, search: AuditSearch, $: SqlParameters): string {
  const parts = [auditMatches(search, $)];
  if (filter.events.length > 0) parts.push(`e.event = any(${$.add(filter.events, 'text[]')})`);
  if (filter.hidden === 'searches' && !filter.events.includes('search.made')) {
    parts.push(`e.event <> 'search.made'`);
  }
  if (filter.outcomes.length > 0) parts.push(`e.outcome = any(${$.add(filter.outcomes, 'text[]')})`);
  if (filter.actorId !== null) parts.push(aboutPeople([filter.actorId], $));
  if (filter.operations.length > 0) parts.push(`e.operation = any(${$.add(filter.operations, 'text[]')})`);
  if (filter.executionId !== null) parts.push(aboutExecutions([filter.executionId], $));
  if (filter.exceptionId !== null) parts.push(`e.exception_id = ${$.add(filter.exceptionId, 'uuid')}`);
  if (filter.approvalRequestId !== null) {
    parts.push(`e.approval_request_id = ${$.add(filter.approvalRequestId, 'uuid')}`);
  }
  if (filter.storyOf !== null) parts.push(ofStory(filter.storyOf, $));
  if (filter.since !== null) parts.push(`e.occurred_at >= ${$.add(filter.since, 'timestamptz')}`);
  if (filter.until !== null) parts.push(`e.occurred_at < ${$.add(filter.until, 'timestamptz')}`);
  return parts.join(' and ');
}

/**
 * Which events without a tenant (sign-ins, accounts, set-up) the actor sees: their own; as manager or administrator those
 * about people, where every tenant that the event names is granted to them, and one that the person has had since then;
 * as administrator those about nobody; and everybody where older events went.
 */
export function visibleWithoutTenant(actor: Actor, $: SqlParameters): string {
  const parts = [`e.actor_id = ${$.add(actor.personId, 'text')}`, `e.event = 'audit.retired'`];
  const about = [];
  if (actor.roles.includes('MANAGER') || actor.roles.includes('ADMIN')) {
    const granted = $.add(actor.tenantIds, 'text[]');
    about.push(`c.tenant_ids <@ ${granted} and (c.recorded or exists (select from review.person_rights h
      where h.person_id::text = c.person_id and h.kind = 'TENANT' and h.name = any(${granted}) and h.since <= e.occurred_at))`);
  }
  if (actor.roles.includes('ADMIN')) about.push('c.person_id is null');
  if (about.length > 0) {
    parts.push(
      `exists (select from review.concerned(e.body, e.actor_kind, e.actor_id) c where ${about.join(' or ')})`,
    );
  }
  return `(${parts.join(' or ')})`;
}
