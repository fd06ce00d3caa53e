import type { Amount } from './amount';
import type { ApprovalTerms } from './approval-policy';
import type { CallerImpact } from './caller-view';
import type { FieldComparison } from './compare-content';
import type { LookupStanding } from './decision-evidence';
import type { DecisionOffer } from './decision-offers';
import type { Decision, Relation } from './decisions';
import type { IntakeDisposition } from './dispositions';
import type { ExceptionKind, ExceptionState, Severity } from './exception-kinds';
import type { Lineage } from './lineage';
import type { AtStake, DedupeWindow, EffectClass } from './exposure';
import type { Candidate, LookupErrorClass } from './lookup-finding';
import type { LookupEnding } from './lookup-schedule';
import type { Proof } from './lookup-verdict';
import type { NextStep } from './next-step';
import type { InputRefusal } from './permissions';
import type { ActorRef, PersonRef } from './person-ref';
import type { Protection } from './protection';
import type { ReissueStakes } from './reissue-exposure';
import type { RequestSummary } from './request-summary';
import type { ExecutionState } from './states';

/** Shapes of the exception page's one read model. Instants are RFC 3339 in UTC; versions decimal strings. */

export interface ExceptionFacts {
  readonly exceptionId: string;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly demo: boolean;
  readonly kind: ExceptionKind;
  readonly state: ExceptionState;
  readonly severity: Severity;
  readonly operation: string;
  readonly principalId: string | null;
  readonly principalName: string | null;
  readonly reasonCode: string;
  readonly openedAt: string;
  readonly dueAt: string;
  readonly assignee: PersonRef | null;
  readonly deferredUntil: string | null;
  readonly nextCheckAt: string | null;
  readonly nextPlace: string | null;
  readonly closedAt: string | null;
  readonly closedBy: ActorRef | null;
  readonly closing: 'DECISION' | 'EXECUTOR' | null;
  readonly closingCode: string | null;
  readonly version: string;
}

export interface ExecutionFacts {
  readonly executionId: string;
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
  readonly approvalRef: unknown;
  readonly externalRequestKey: string | null;
  readonly externalJobId: string | null;
  readonly progress: unknown;
  readonly deadline: string | null;
  readonly state: ExecutionState;
  readonly stateSince: string;
  readonly unknownReason: string | null;
  readonly attempt: number;
  readonly attemptsSpent: number;
  readonly attemptsAllowed: number;
  readonly fencingToken: string;
  readonly owner: string | null;
  readonly claimedAt: string | null;
  readonly leaseExpiresAt: string | null;
  readonly extendedUntil: string | null;
  readonly effectStartedAt: string | null;
  readonly resultId: string | null;
  readonly resultUrl: string | null;
  readonly reportedResultId: string | null;
  readonly responseStatus: number | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly failureBasis: string | null;
  /** What the operation's table says about the failure's code: under which condition, or what must be fixed. */
  readonly failureCondition: string | null;
  /** Where the original input lies is known; it is told by `input.opened` alone. */
  readonly hasInput: boolean;
  readonly expiredFrom: 'SUCCEEDED' | 'FAILED_FINAL' | null;
  readonly superseded: boolean;
  readonly version: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Kept in clear under JSON pointers; empty when the policy keeps nothing. */
  readonly display: Readonly<Record<string, unknown>>;
  readonly amount: Amount | null;
}

/** Of an effect that no execution knows: its own result, and what it is worth as the report has it. */
export interface OrphanStake {
  readonly resultId: string;
  readonly amount: Amount | null;
}

export interface PolicyFacts extends Protection {
  readonly version: number;
  /** False: the built-in default, because the operation has no policy of its own. */
  readonly own: boolean;
  readonly effectClass: EffectClass;
  readonly authority: string;
  readonly keyless: 'REFUSE' | 'PASS';
  readonly resultIdRequired: boolean;
  readonly proof: Proof;
  readonly evidenceMaxAgeSeconds: number;
  readonly approval: ApprovalTerms | null;
  readonly conflictTolerance: number | null;
  readonly conflictWindowSeconds: number;
  readonly leaseSeconds: number;
  readonly hasConnector: boolean;
  readonly connectorId: string | null;
  readonly guide: unknown;
}

/** What stopped an operation's automatic execution. */
export interface PauseView {
  /** Conflicts and mismatches counted when it paused. */
  readonly counted: number;
  readonly tolerated: number | null;
  readonly windowSeconds: number;
  /** At this moment, whatever became of this exception. */
  readonly paused: boolean;
}

export interface EvidenceView extends LookupStanding {
  readonly connectorId: string | null;
  readonly questionUrl: string | null;
  readonly resultUrl: string | null;
  readonly targetSystem: string | null;
  readonly targetAccount: string | null;
  readonly comparison: readonly FieldComparison[];
  readonly matches: number | null;
  readonly candidates: readonly Candidate[];
  readonly place: string | null;
  readonly seen: string | null;
  readonly nextPlace: string | null;
  readonly errorClass: LookupErrorClass | null;
  readonly nextCheckAt: string | null;
  /** Why no further look follows by itself, where it was the last of its run. */
  readonly ending: LookupEnding | null;
  readonly checkedBy: ActorRef;
  readonly automatic: boolean;
  readonly durationMs: number | null;
  /** About the execution as it is now. */
  readonly current: boolean;
}

export interface IntakeView {
  readonly intakeId: string;
  readonly executionId: string | null;
  readonly receivedAt: string;
  readonly disposition: IntakeDisposition;
  readonly requestId: string | null;
  readonly traceId: string | null;
  readonly key: string | null;
  readonly contentVersion: string | null;
  readonly targetSystem: string | null;
  readonly targetAccount: string | null;
  readonly fingerprint: string | null;
  readonly via: 'FUNCTION' | 'DIRECT';
}

/** One field of two contents under one key. */
export interface ContentDifference {
  /** JSON pointer, or the name of a label such as `contentVersion`. */
  readonly field: string;
  readonly differs: boolean;
  /** Undefined: kept as a hash alone. Null: not there. */
  readonly stored: unknown;
  readonly arrived: unknown;
}

export interface ConflictView {
  readonly intake: IntakeView;
  /** Null: no field hashes were kept on one side, so only "the content differs" is known. */
  readonly differences: readonly ContentDifference[] | null;
  readonly conflictingFields: readonly string[];
}

export interface AttemptView {
  readonly attempt: number;
  readonly owner: string;
  readonly fencingToken: string;
  readonly startedAt: string;
  readonly effectStartedAt: string | null;
  readonly externalJobId: string | null;
  readonly endedAt: string | null;
  readonly outcome: string | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
}

export interface LateReportView {
  readonly reportId: string;
  readonly verb: string;
  readonly fencingToken: string;
  readonly resultId: string | null;
  readonly resultUrl: string | null;
  readonly stateFound: ExecutionState;
  readonly receivedAt: string;
}

export interface RelatedExecution {
  readonly executionId: string;
  readonly operation: string;
  readonly key: string;
  readonly step: string | null;
  readonly state: ExecutionState;
  readonly expiredFrom: 'SUCCEEDED' | 'FAILED_FINAL' | null;
  readonly resultId: string | null;
  readonly relation: Relation | null;
  readonly createdAt: string;
  readonly isThis: boolean;
  readonly openExceptionId: string | null;
  /** Its place among the steps, from 1 on, and how many there are. */
  readonly place: number;
  readonly of: number;
}

export interface OtherException {
  readonly exceptionId: string;
  readonly kind: ExceptionKind;
  readonly executionId: string | null;
  readonly openedAt: string;
}

export interface ActivityView {
  readonly eventId: string;
  readonly at: string;
  readonly event: string;
  readonly actor: ActorRef;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface DecisionView {
  readonly decisionId: string;
  readonly decision: Decision | 'REISSUE' | 'REISSUE_AS_NEW_WORK';
  readonly at: string;
  readonly actor: ActorRef;
  readonly rationale: string | null;
  readonly evidenceId: string | null;
  /** The look that the person had before them when they decided; null where none was shown or nobody recorded it. */
  readonly shownEvidenceId: string | null;
  readonly requestId: string | null;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface ExceptionView extends AtStake, ReissueStakes {
  /** The database's clock when this was read. */
  readonly now: string;
  readonly exception: ExceptionFacts;
  readonly execution: ExecutionFacts | null;
  /** Null where an execution stands behind the exception, or nothing of this kind. */
  readonly orphan: OrphanStake | null;
  readonly policy: PolicyFacts;
  readonly arrivals: { readonly total: number; readonly shown: readonly IntakeView[] };
  readonly conflicts: readonly ConflictView[];
  readonly attempts: readonly AttemptView[];
  readonly lateReports: readonly LateReportView[];
  readonly evidence: readonly EvidenceView[];
  readonly steps: readonly RelatedExecution[];
  /** Null without an execution. */
  readonly lineage: Lineage | null;
  readonly others: readonly OtherException[];
  /** Of the results named here, those that another execution has: they cannot count for this one. */
  readonly resultsElsewhere: readonly string[];
  readonly activity: readonly ActivityView[];
  readonly decisions: readonly DecisionView[];
  readonly requests: readonly RequestSummary[];
  readonly assignable: readonly PersonRef[];
  readonly offers: readonly DecisionOffer[];
  readonly nextStep: NextStep;
  readonly impact: CallerImpact;
  readonly pause: PauseView | null;
  readonly dedupe: DedupeWindow | null;
  /** Why this person can't assign, comment, defer or look things up; null: can. */
  readonly deskRefusal: 'ROLE_MISSING' | null;
  readonly lookupRefusal:
    'ROLE_MISSING' | 'AUTHORITY_MISSING' | 'NO_CONNECTOR' | 'NO_EXECUTION' | 'EXCEPTION_CLOSED' | null;
  readonly evidenceRefusal: 'ROLE_MISSING' | 'AUTHORITY_MISSING' | 'NO_EXECUTION' | 'EXCEPTION_CLOSED' | null;
  readonly inputRefusal: InputRefusal;
}
