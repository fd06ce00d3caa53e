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
}

const OF_REQUESTS: readonly NotificationReason[] = ['DECISION_ASKED', 'REQUEST_ENDED', 'BREAK_GLASS'];

/** The address within the product at which one deals with it: ids alone, nothing that tells anything by itself. */
export function placeOf({ reason, tenantId, exceptionId, requestId, jobId }: NotificationSubject): string {
  if (reason === 'JOB_FINISHED' && jobId !== null) return `/queue/jobs/${jobId}`;
  if (OF_REQUESTS.includes(reason) && requestId !== null) return `/approvals/${requestId}`;
  if (exceptionId !== null) return `/exceptions/${exceptionId}`;
  return `/queue?${new URLSearchParams({ tenant: tenantId, assignee: 'none' })}`;
}
