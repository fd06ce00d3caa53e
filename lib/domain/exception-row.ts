import { type Amount } from './amount';
import { type ExceptionKind, type ExceptionState, type Severity } from './exception-kinds';
import { type NextStep } from './next-step';
import { type ExecutionState } from './states';

/** What a list shows of one exception. Instants are RFC 3339, UTC. */
export interface ExceptionRow {
  exceptionId: string;
  tenantId: string;
  tenantName: string;
  kind: ExceptionKind;
  state: ExceptionState;
  severity: Severity;
  operation: string;
  /** Null where nothing was claimed. */
  idempotencyKey: string | null;
  execution: { executionId: string; state: ExecutionState; stateSince: string } | null;
  amount: Amount | null;
  openedAt: string;
  dueAt: string;
  closedAt: string | null;
  deferredUntil: string | null;
  assignee: { personId: string; displayName: string } | null;
  nextStep: NextStep;
  /** As this row shows it: an act on another version is refused. */
  version: string;
}
