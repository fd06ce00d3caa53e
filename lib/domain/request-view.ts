import type { Amount } from './amount';
import type { ApprovalTerms, PolicyStep } from './approval-policy';
import type { BreakGlassView } from './break-glass';
import type { RequestKind, RequestState, Relation } from './decisions';
import type { ExceptionKind, ExceptionState } from './exception-kinds';
import type { ConflictView, EvidenceView, PolicyFacts } from './exception-view';
import type { ActorRef } from './person-ref';
import type { RefusalCode } from './refusals';
import type { RequestSummary } from './request-summary';
import type { ReissueExposure } from './reissue-exposure';
import type { ExecutionState } from './states';

/** One line of the list of approvals. Instants RFC 3339 in UTC. */
export interface RequestRow {
  readonly requestId: string;
  readonly tenantName: string;
  readonly kind: RequestKind;
  readonly relation: Relation | null;
  readonly state: RequestState;
  readonly operation: string;
  /** Null where the request is about no execution. */
  readonly key: string | null;
  readonly amount: Amount | null;
  /** The amount is that of original and new key together: of a correction, and of work of its own. */
  readonly together: boolean;
  readonly requestedBy: ActorRef;
  readonly requestedAt: string;
  readonly decideBy: string;
  readonly executeBy: string | null;
  readonly stateSince: string;
  readonly mine: boolean;
}

/** One person's verdict. */
export interface VerdictView {
  readonly approver: ActorRef;
  readonly verdict: 'APPROVE' | 'REJECT';
  readonly rationale: string;
  readonly roles: readonly string[];
  readonly decidedAt: string;
}

/** One step that a request has to pass, as it stands at this moment. */
export interface StepView {
  readonly step: PolicyStep;
  /** Asked for by the policy when the request was made, and by the one that is in force now; the stricter of them counts. */
  readonly asked: boolean;
  readonly now: boolean;
  readonly passedBy: readonly ActorRef[];
  /** Approvals that it still needs. */
  readonly missing: number;
  /** The first of those who may give one. */
  readonly mayPass: readonly ActorRef[];
  readonly more: boolean;
}

/** The request with everything that it stands on, nothing cut (FE-19). */
export interface RequestView extends Omit<RequestSummary, 'verdicts'> {
  readonly now: string;
  readonly tenantName: string;
  readonly demo: boolean;
  readonly operation: string;
  readonly rationale: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** SHA-256 over all of it, as it was asked; the verdict echoes it. */
  readonly digest: string;
  readonly policyVersion: number;
  /** The least visible characters of a reason, by the stricter of the policy then and now. */
  readonly minRationale: number;
  /** What held when it was made. */
  readonly terms: ApprovalTerms;
  /** While it waits or is carried out; afterwards the verdicts tell it. */
  readonly steps: readonly StepView[];
  readonly policy: PolicyFacts;
  /** Null, as the version and the execution: an effect that no execution knows. */
  readonly fingerprint: string | null;
  readonly targetSystem: string | null;
  readonly targetAccount: string | null;
  readonly executionVersion: string | null;
  readonly exception: {
    readonly exceptionId: string;
    readonly kind: ExceptionKind;
    readonly state: ExceptionState;
  };
  readonly execution: {
    readonly executionId: string;
    readonly principalId: string;
    readonly principalName: string;
    readonly key: string;
    readonly requestId: string | null;
    readonly businessRef: string | null;
    readonly contentVersion: string | null;
    readonly state: ExecutionState;
    readonly version: string;
    readonly resultId: string | null;
    readonly display: Readonly<Record<string, unknown>>;
    readonly amount: Amount | null;
  } | null;
  /** What an effect is worth that no execution knows, as the report has it. */
  readonly orphanAmount: Amount | null;
  /** What the new key leaves standing beside the original; null for requests of another kind. */
  readonly exposure: ReissueExposure | null;
  /** What has become of the new key; null before it exists. */
  readonly made: { readonly state: ExecutionState; readonly resultId: string | null } | null;
  /** The look that the request rests on; null when it rests on none. */
  readonly evidence: EvidenceView | null;
  /** The newest look about the execution as it is, when that is another one. */
  readonly newest: EvidenceView | null;
  /** A person's look that stands against the evidence; of an ended request the one that it named. */
  readonly contrary: EvidenceView | null;
  /** The arrival whose content the new key takes. */
  readonly conflict: ConflictView | null;
  readonly verdicts: readonly VerdictView[];
  /** The execution has moved since: deciding now voids the request. */
  readonly basisChanged: boolean;
  /** Why this person can't approve or reject; null: can. */
  readonly decideRefusal: RefusalCode | null;
  /** Why their approval would not count, though a rejection might; null: it would. */
  readonly approveRefusal: RefusalCode | null;
  readonly breakGlass: BreakGlassView;
  /** Why this person can't take it back; null: can. */
  readonly withdrawRefusal: RefusalCode | null;
  /** The evidence must be looked at again before it can carry an approval. */
  readonly lookAgain: boolean;
}
