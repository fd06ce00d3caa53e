import type { RequestState } from './decisions';
import type { ExceptionKind, ExceptionState, Severity } from './exception-kinds';
import type { NotificationSubject } from './notifications';
import type { PersonRef } from './person-ref';

/** One notification as its reader may see it now. Instants are RFC 3339, UTC. */
export interface NotificationRow extends NotificationSubject {
  notificationId: string;
  tenantName: string;
  madeAt: string;
  readAt: string | null;
  /** Null for the system. */
  actor: PersonRef | null;
  /** As it is now, not as it was then. */
  exception: {
    kind: ExceptionKind;
    state: ExceptionState;
    severity: Severity;
    operation: string;
  } | null;
  requestState: RequestState | null;
  /** How many exceptions a bulk job has given by now; null where none did. */
  jobRows: number | null;
}
