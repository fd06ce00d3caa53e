/** Everything that the chain can tell of. Closed: the same list is `review.audit_event_types` in the database. */
export const AUDIT_EVENTS = [
  'session.signed_in',
  'session.sign_in_failed',
  'session.signed_out',
  'session.ended',
  'access.denied',
  'exception.assigned',
  'exception.commented',
  'exception.deferred',
  'exception.deferral_ended',
  'exception.ticket_linked',
  'exception.closed_by_executor',
  'lookup.recorded',
  'lookup.requested',
  'evidence.recorded',
  'input.opened',
  'decision.result_linked',
  'decision.confirm_not_applied_requested',
  'decision.not_applied_confirmed',
  'decision.failed_finally',
  'decision.original_kept',
  'decision.declared_unknown',
  'decision.extended',
  'decision.attempts_allowed',
  'decision.key_rule_recorded',
  'decision.accepted_unprotected',
  'decision.effect_settle_requested',
  'decision.effect_settled',
  'operation.resumed',
  'reissue.requested',
  'reissue.approved',
  'reissue.rejected',
  'reissue.withdrawn',
  'reissue.expired',
  'reissue.voided',
  'reissue.executed',
  'confirmation.rejected',
  'confirmation.withdrawn',
  'confirmation.expired',
  'confirmation.voided',
  'sweep.ran_with_changes',
  'people.created',
  'people.password_changed',
  'people.rights_changed',
  'people.grant_requested',
  'people.grant_confirmed',
  'people.grant_ended',
  'people.grant_expired',
  'people.disabled',
  'people.enabled',
  'people.reset',
  'people.identity_linked',
  'policy.change_requested',
  'policy.changed',
  'policy.change_ended',
  'policy.change_expired',
  'connector.change_requested',
  'connector.changed',
  'connector.change_ended',
  'connector.change_expired',
  'connector.tried',
  'policy.operation_change_requested',
  'policy.operation_changed',
  'policy.operation_change_ended',
  'assignment.rule_changed',
  'incident.opened',
  'incident.closed',
  'incident.lookups_queued',
  'incident.report_judged',
  'incident.report_proposed',
  'incident.sample_checked',
  'incident.report_confirmed',
  'incident.report_ended',
  'incident.report_applied',
  'incident.report_exported',
  'bulk.prepared',
  'bulk.started',
  'bulk.paused',
  'bulk.resumed',
  'bulk.aborted',
  'bulk.rate_changed',
  'bulk.finished',
  'bulk.exported',
  'break_glass.used',
  'break_glass.reviewed',
  'token.created',
  'token.rotated',
  'token.revoked',
  'search.made',
  'audit.exported',
  'audit.text_erased',
  'audit.key_rotated',
  'audit.key_revoked',
  'audit.retired',
  'audit.retention_changed',
  'bootstrap.completed',
] as const;

export type AuditEventName = (typeof AUDIT_EVENTS)[number];

/** `refused` is an expected no with a code; `failed` an act that was tried and did not come about. */
export const AUDIT_OUTCOMES = ['done', 'refused', 'failed'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

export function isAuditEventName(value: unknown): value is AuditEventName {
  return (AUDIT_EVENTS as readonly unknown[]).includes(value);
}

export function isAuditOutcome(value: unknown): value is AuditOutcome {
  return (AUDIT_OUTCOMES as readonly unknown[]).includes(value);
}

/** What people wrote, by its path in the event's body, with the salt (hexadecimal) under which the body commits to it. */
export type AuditTexts = Readonly<Record<string, { readonly value: string; readonly salt: string }>>;

/** One event as exported: every value in the text form that is hashed. */
export interface AuditRecord {
  /** Decimal digits; dense from 1. */
  readonly number: string;
  readonly eventId: string;
  /** UTC with microseconds, `2026-11-29T17:39:00.000000Z`. */
  readonly occurredAt: string;
  readonly event: string;
  readonly outcome: string;
  readonly refusalCode: string | null;
  readonly actorKind: string;
  readonly actorId: string;
  readonly actorName: string;
  readonly actorRoles: readonly string[];
  readonly tenantId: string | null;
  readonly exceptionId: string | null;
  readonly executionId: string | null;
  readonly approvalRequestId: string | null;
  readonly operation: string | null;
  readonly operationId: string | null;
  /** JSON text as stored. */
  readonly body: string;
  readonly httpRequestId: string;
  readonly sourceAddress: string | null;
  /** 64 lower-case hexadecimal digits; all zero for number 1. */
  readonly previousHash: string;
  readonly hash: string;
  /** Not hashed itself: the body commits to it. Erased texts are missing; older events have none. */
  readonly texts?: AuditTexts | null;
}
