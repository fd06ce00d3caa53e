/**
 * The JSON shapes of the producer API (`/api/v1`), shared by the server and the client.
 * Absent values are null; times are RFC 3339 in UTC; fencing tokens are decimal strings (they are 64-bit in SQL).
 */
import type { ClaimingDisposition } from '../../domain/dispositions';
import type { JsonValue } from '../../domain/json-value';
import type { ProblemCode } from '../../domain/problem-codes';
import type { ExecutionState } from '../../domain/states';

export type { JsonValue };

/** The outside system and the account in it that the effect belongs to. */
export interface Target {
  readonly system: string;
  readonly account: string;
}

/** What somebody approved before the claim. */
export interface ApprovalReference {
  readonly id: string;
  readonly target?: Target;
  readonly contentVersion?: string;
  readonly count?: number;
}

/** One ledger record as its own principal sees it. */
export interface Execution {
  readonly executionId: string;
  readonly operation: string;
  readonly key: string;
  readonly state: ExecutionState;
  readonly stateSince: string;
  readonly attempt: number;
  readonly fencingToken: string;
  readonly owner: string | null;
  readonly leaseExpiresAt: string | null;
  readonly effectStartedAt: string | null;
  readonly fingerprint: string;
  readonly contentVersion: string | null;
  readonly requestId: string | null;
  readonly workflowId: string | null;
  readonly step: string | null;
  readonly target: Target | null;
  readonly businessRef: string | null;
  readonly externalRequestKey: string | null;
  /** The outside system's own number of the job, and how far it is, as the owner last said. */
  readonly externalJobId: string | null;
  readonly progress: JsonValue;
  readonly resultId: string | null;
  readonly resultUrl: string | null;
  readonly supersededBy: string | null;
  readonly reissueOf: string | null;
  readonly underReview: boolean;
  readonly nextCheckAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string | null;
}

export interface ExecutionPage {
  readonly items: readonly Execution[];
  /** Opaque; null on the last page. */
  readonly nextCursor: string | null;
}

export interface EffectStartedExecution extends Execution {
  /** Until when the outside call may be sent; after it the claim may be taken away. */
  readonly sendBefore: string;
}

/** Members of a claim and of a registration beside the key, which travels as a header. */
export interface ClaimFields {
  readonly operation: string;
  readonly requestId: string;
  readonly contentVersion?: string;
  readonly target?: Target;
  readonly workflowId?: string;
  readonly step?: string;
  readonly businessRef?: string;
  readonly approvalRef?: ApprovalReference;
  readonly externalRequestKey?: string;
  readonly inputRef?: string;
  /** RFC 3339 instant. */
  readonly deadline?: string;
  readonly owner?: string;
  /** 1 to 86,400 seconds. */
  readonly leaseSeconds?: number;
  /** UUID made by the client before the first send; repeating the claim with it returns the same claim. */
  readonly attemptId?: string;
  readonly traceId?: string;
}

/** Exactly one of the two names the content. */
export type ClaimContent =
  | { readonly payload: JsonValue; readonly fingerprint?: never }
  /** "sha256:" and 64 hexadecimal digits. */
  | { readonly fingerprint: string; readonly payload?: never };

export type ClaimBody = ClaimFields & ClaimContent;

/** 201 of a claim. */
export interface ClaimedBody {
  readonly disposition: ClaimingDisposition;
  readonly executionId: string;
  readonly fencingToken: string;
  readonly attempt: number;
  readonly leaseExpiresAt: string;
}

/** The answer that later equal requests get, exactly as given. */
export interface StoredResponse {
  /** 200 to 499 without 408, 425 and 429: those are never final. */
  readonly status: number;
  /** Only location, etag, content-type, content-language and link. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Any JSON value, `false`, `0` and `""` included. With a content type that is not JSON: a string, replayed as is. */
  readonly body?: JsonValue;
}

export interface EffectStartedBody {
  readonly fencingToken: string;
  readonly externalJobId?: string;
  readonly externalRequestKey?: string;
}

export interface HeartbeatBody {
  readonly fencingToken: string;
  readonly leaseSeconds?: number;
  readonly externalJobId?: string;
  readonly progress?: JsonValue;
}

export interface CompleteBody {
  readonly fencingToken: string;
  readonly resultId?: string;
  readonly resultUrl?: string;
  readonly target?: Target;
  readonly response?: StoredResponse;
}

/** Why a failure report may be believed to have had no effect. */
export type FailureBasis = 'NOT_SENT' | 'PROVIDER_TRANSIENT' | 'LOOKUP';

export interface FailBody {
  readonly fencingToken: string;
  readonly retryable: boolean;
  readonly code: string;
  readonly message: string;
  readonly basis?: FailureBasis;
  readonly response?: StoredResponse;
}

export interface UnknownBody {
  readonly fencingToken: string;
  readonly code: string;
  readonly message: string;
}

export interface CancelBody {
  readonly fencingToken?: string;
  readonly reason: string;
}

export interface KeylessBody {
  readonly operation: string;
  readonly requestId: string;
  readonly payload?: JsonValue;
  readonly traceId?: string;
}

export interface KeylessAnswer {
  readonly intakeId: string;
  readonly disposition: 'KEY_MISSING';
}

/** RFC 9457 body of every answer that is not a success. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly executionId?: string;
  /** State in which a report found the execution. */
  readonly state?: ExecutionState;
  /** Code of the failure that ended the execution. */
  readonly failureCode?: string | null;
  /** What differs: JSON pointers of payload fields, and `payload`, `contentVersion`, `target.system`, `target.account`. */
  readonly conflictingFields?: readonly string[];
  readonly retryAfterSeconds?: number;
  readonly underReview?: boolean;
  readonly nextCheckAt?: string | null;
  readonly newKey?: string;
  readonly newExecutionId?: string;
  readonly resultId?: string | null;
  readonly resultUrl?: string | null;
  /** Of a held duplicate: who works on it, since when, and how far it is. */
  readonly owner?: string | null;
  readonly since?: string | null;
  readonly progress?: JsonValue;
}
