/** Why somebody is told: the same list is a constraint of `review.notifications`. */
export const NOTIFICATION_REASONS = [
  'ASSIGNED',
  'MENTIONED',
  'WATCHED',
  'DECISION_ASKED',
  'REQUEST_ENDED',
  'OVERDUE',
  'UNOWNED',
  'DEFERRAL_OVER',
  'BREAK_GLASS',
  'JOB_FINISHED',
] as const;

export type NotificationReason = (typeof NOTIFICATION_REASONS)[number];

/** Ways beside the inbox, which gets everything. */
export const NOTIFICATION_WAYS = ['MAIL', 'CHAT'] as const;

export type NotificationWay = (typeof NOTIFICATION_WAYS)[number];

/** What a notification is about; ids of the reader's tenants alone. */
export interface NotificationSubject {
  readonly reason: NotificationReason;
  readonly tenantId: string;
  readonly exceptionId: string | null;
  readonly requestId: string | null;
  readonly jobId: string | null;
  /** A change that waits for a second administrator. */
  readonly proposal: NotificationProposal | null;
}

export interface NotificationProposal {
  readonly of: 'POLICY' | 'CONNECTOR' | 'RIGHTS';
  /** The operation, the connector's id or the person's. */
  readonly subject: string;
}

const OF_REQUESTS: readonly NotificationReason[] = ['DECISION_ASKED', 'REQUEST_ENDED', 'BREAK_GLASS'];

/** The address within the product at which one deals with it: ids alone, nothing that tells anything by itself. */
export function placeOf(told: NotificationSubject): string {
  const { reason, tenantId, exceptionId, requestId, jobId, proposal } = told;
  if (reason === 'JOB_FINISHED' && jobId !== null) return `/queue/jobs/${jobId}`;
  // The job is its starter's to see; what it gave lies with its owner.
  if (reason === 'ASSIGNED' && jobId !== null) return queueOf(tenantId, 'me');
  if (proposal !== null) return placeOfProposal(tenantId, proposal);
  if (OF_REQUESTS.includes(reason) && requestId !== null) return `/approvals/${requestId}`;
  if (exceptionId !== null) return `/exceptions/${exceptionId}`;
  return queueOf(tenantId, 'none');
}

const queueOf = (tenant: string, assignee: 'me' | 'none') =>
  `/queue?${new URLSearchParams({ tenant, assignee })}`;

function placeOfProposal(tenant: string, { of, subject }: NotificationProposal): string {
  if (of === 'CONNECTOR') return `/admin/connectors/${subject}`;
  if (of === 'RIGHTS') return `/admin/people/${subject}`;
  return `/admin/policies/operation?${new URLSearchParams({ tenant, operation: subject })}`;
}
