import type { Relation, RequestKind, RequestState } from './decisions';
import type { ActorRef } from './person-ref';

/** One request for a decision as its exception tells it. Instants RFC 3339 in UTC. */
export interface RequestSummary {
  readonly requestId: string;
  readonly kind: RequestKind;
  readonly relation: Relation | null;
  readonly state: RequestState;
  readonly stateSince: string;
  readonly requestedBy: ActorRef;
  readonly requestedAt: string;
  readonly rationale: string;
  readonly verdicts: readonly { readonly approverId: string; readonly rationale: string }[];
  readonly decideBy: string;
  readonly executeBy: string | null;
  readonly voidReason: string | null;
  readonly newExecution: { readonly executionId: string; readonly key: string } | null;
}
