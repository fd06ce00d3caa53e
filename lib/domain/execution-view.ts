import type { Amount } from './amount';
import type { TimelineFacts } from './exception-timeline';
import type { RelatedExecution } from './exception-view';
import type { ExceptionKind, ExceptionState } from './exception-kinds';
import type { Lineage } from './lineage';
import type { EffectClass } from './exposure';
import type { NextStep } from './next-step';
import type { InputRefusal } from './permissions';
import type { PersonRef } from './person-ref';
import type { Protection } from './protection';
import type { ExecutionState } from './states';

/** One ledger record as its page shows it. Instants are RFC 3339 in UTC. */
export interface ExecutionRecord extends Protection {
  readonly executionId: string;
  readonly tenantName: string;
  readonly principalName: string;
  readonly operation: string;
  readonly key: string;
  readonly requestId: string | null;
  readonly fingerprint: string;
  readonly policyVersion: number;
  readonly contentVersion: string | null;
  readonly targetSystem: string | null;
  readonly targetAccount: string | null;
  readonly workflowId: string | null;
  readonly step: string | null;
  readonly businessRef: string | null;
  readonly externalRequestKey: string | null;
  readonly externalJobId: string | null;
  /** Any JSON, in the owner's own words; null when it said nothing. */
  readonly progress: unknown;
  readonly state: ExecutionState;
  readonly stateSince: string;
  readonly expiredFrom: 'SUCCEEDED' | 'FAILED_FINAL' | null;
  readonly attemptsSpent: number;
  readonly attemptsAllowed: number;
  readonly fencingToken: string;
  readonly owner: string | null;
  readonly leaseExpiresAt: string | null;
  readonly effectStartedAt: string | null;
  readonly resultId: string | null;
  readonly resultUrl: string | null;
  readonly reportedResultId: string | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly failureBasis: string | null;
  readonly supersededBy: string | null;
  readonly reissueOf: string | null;
  readonly underReview: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Kept in clear under JSON pointers; empty when the policy keeps nothing. */
  readonly display: Readonly<Record<string, unknown>>;
  readonly amount: Amount | null;
  /** Where the original input lies is known; it is told by `input.opened` alone. */
  readonly hasInput: boolean;
  readonly effectClass: EffectClass;
}

export interface ExecutionException {
  readonly exceptionId: string;
  readonly kind: ExceptionKind;
  readonly state: ExceptionState;
  readonly openedAt: string;
  readonly closedAt: string | null;
}

/** With everything that its story is told from: of the execution and of all of its exceptions. */
export interface ExecutionView extends Omit<TimelineFacts, 'execution'> {
  readonly record: ExecutionRecord;
  readonly inputRefusal: InputRefusal;
  /** What a person must hold to act on this operation. */
  readonly authority: string;
  readonly exceptions: readonly ExecutionException[];
  /** People whom the story may name. */
  readonly assignable: readonly PersonRef[];
  /** Of its most severe open exception; null when none is open. */
  readonly nextStep: NextStep | null;
  readonly steps: readonly RelatedExecution[];
  readonly lineage: Lineage;
}
