import type { ExceptionKind } from '@/lib/domain/exception-kinds';
import type { NotificationSubject, NotificationWay } from '@/lib/domain/notifications';

/** One try at one message, as `review.begin_message` gives it: whom it goes to and what it tells, by rights of this moment. */
export interface OutboundMessage {
  readonly messageId: string;
  readonly way: NotificationWay;
  readonly email: string;
  readonly name: string;
  readonly locale: string | null;
  /** The name of the webhook's secret; null where the person has taken it away meanwhile. */
  readonly secret: string | null;
  readonly items: readonly OutboundItem[];
}

export interface OutboundItem extends NotificationSubject {
  readonly tenant: string;
  readonly kind: ExceptionKind | null;
  /** How many exceptions a bulk job has given by now; null where none did. */
  readonly jobRows: number | null;
}

/** What went wrong, as people may be told; `NO_SECRET` and refusals for good are not tried again. */
export const DELIVERY_FAILURES = ['REFUSED', 'UNREACHABLE', 'NO_SECRET', 'KILLED', 'OTHER'] as const;

export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

export type Sent = { ok: true } | { ok: false; failure: DeliveryFailure; forGood: boolean };
