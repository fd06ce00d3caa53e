import { isAuditEventName, type AuditEventName, type AuditRecord } from './audit-events';

/** What an act that came about has brought about: asked for, answered, written into the ledger, or only recorded. */
export type ActStage = 'REQUESTED' | 'DECIDED' | 'LEDGER' | 'RECORDED';

const STAGES: Readonly<Partial<Record<AuditEventName, ActStage>>> = {
  'lookup.requested': 'REQUESTED',
  'decision.confirm_not_applied_requested': 'REQUESTED',
  'decision.effect_settle_requested': 'REQUESTED',
  'reissue.requested': 'REQUESTED',
  'people.grant_requested': 'REQUESTED',
  'policy.change_requested': 'REQUESTED',
  'policy.operation_change_requested': 'REQUESTED',
  'connector.change_requested': 'REQUESTED',
  'incident.lookups_queued': 'REQUESTED',
  'bulk.started': 'REQUESTED',
  'incident.report_proposed': 'REQUESTED',
  'incident.report_confirmed': 'DECIDED',
  'incident.report_applied': 'LEDGER',
  'reissue.approved': 'DECIDED',
  'reissue.rejected': 'DECIDED',
  'confirmation.rejected': 'DECIDED',
  'break_glass.used': 'DECIDED',
  'decision.result_linked': 'LEDGER',
  'decision.not_applied_confirmed': 'LEDGER',
  'decision.failed_finally': 'LEDGER',
  'decision.declared_unknown': 'LEDGER',
  'decision.extended': 'LEDGER',
  'decision.attempts_allowed': 'LEDGER',
  'decision.effect_settled': 'LEDGER',
  'reissue.executed': 'LEDGER',
  'operation.resumed': 'LEDGER',
};

export function actStage(event: string): ActStage {
  return (isAuditEventName(event) ? STAGES[event] : undefined) ?? 'RECORDED';
}

/** Events whose own names say that something did not come about. */
const NAMED_SO: readonly string[] = ['session.sign_in_failed', 'access.denied'] satisfies AuditEventName[];

/** How an act was only tried (R-088ae): its name tells what it would have brought about. Null for one that came about. */
export function attemptOf({
  event,
  outcome,
}: Pick<AuditRecord, 'event' | 'outcome'>): 'refused' | 'failed' | null {
  if (NAMED_SO.includes(event)) return null;
  return outcome === 'refused' || outcome === 'failed' ? outcome : null;
}
