import { type Amount } from './amount';
import { type ExecutionState } from './states';

/** What a list shows of one execution. Instants are RFC 3339, UTC. */
export interface ExecutionRow {
  executionId: string;
  tenantName: string;
  operation: string;
  idempotencyKey: string;
  state: ExecutionState;
  stateSince: string;
  targetSystem: string | null;
  targetAccount: string | null;
  resultId: string | null;
  amount: Amount | null;
  attempt: number;
  /** Arrivals under this key; not the number of executions, and never shown as such. */
  intakes: number;
  createdAt: string;
  underReview: boolean;
  superseded: boolean;
  isReissue: boolean;
}
