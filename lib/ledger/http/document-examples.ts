import { PROBLEM_CODES, problemType, type ProblemCode } from '@/lib/domain/problem-codes';
import type { Execution } from '../client/wire';
import type { AnswerName, BodyName } from './document-schemas';

// One story for the whole document: a receipt is mailed once.
const executionId = '0b1d7c9e-5f0a-4c57-9a43-7f2f6f0c9d11';

const execution: Execution = {
  executionId,
  operation: 'acme-order-mail',
  key: 'receipt-4711',
  state: 'SUCCEEDED',
  stateSince: '2026-11-29T09:00:04.118203Z',
  attempt: 1,
  fencingToken: '1',
  owner: 'mailer-2',
  leaseExpiresAt: null,
  effectStartedAt: '2026-11-29T09:00:03.007412Z',
  fingerprint: 'sha256:5f3f1a9d0f7e4b5c8d2a6e9b1c4d7f0a3b6c9e2d5f8a1b4c7e0d3f6a9b2c5e8d',
  contentVersion: null,
  requestId: 'REQ-1',
  workflowId: 'order-4711',
  step: 'receipt',
  target: { system: 'mail', account: 'north' },
  businessRef: null,
  externalRequestKey: 'receipt-4711',
  externalJobId: null,
  progress: null,
  resultId: 'MSG-9',
  resultUrl: null,
  supersededBy: null,
  reissueOf: null,
  underReview: false,
  nextCheckAt: null,
  createdAt: '2026-11-29T09:00:02.991630Z',
  updatedAt: '2026-11-29T09:00:04.118203Z',
  expiresAt: '2027-02-27T09:00:04.118203Z',
};

const started: Execution = {
  ...execution,
  state: 'PROCESSING',
  leaseExpiresAt: '2026-11-29T09:01:02.991630Z',
  resultId: null,
  expiresAt: null,
};

export const EXAMPLES: Readonly<Record<BodyName | Exclude<AnswerName, 'Problem'>, object>> = {
  ClaimBody: {
    operation: 'acme-order-mail',
    requestId: 'REQ-1',
    payload: { to: 'A-7', amount: 12000 },
    attemptId: '7e0c5a5e-95a5-4d8e-9d5e-1f2f3a4b5c6d',
    target: { system: 'mail', account: 'north' },
  },
  KeylessBody: { operation: 'acme-order-mail', requestId: 'REQ-2' },
  EffectStartedBody: { fencingToken: '1' },
  HeartbeatBody: { fencingToken: '1', progress: { done: 3, of: 10 } },
  CompleteBody: {
    fencingToken: '1',
    resultId: 'MSG-9',
    response: { status: 201, headers: { location: '/mails/9' }, body: { messageId: 'MSG-9' } },
  },
  FailBody: {
    fencingToken: '1',
    retryable: true,
    code: 'LIMIT',
    message: 'refused before the send',
    basis: 'NOT_SENT',
  },
  UnknownBody: { fencingToken: '1', code: 'TIMED_OUT', message: 'no answer in 30 s' },
  CancelBody: { reason: 'the customer withdrew' },
  Execution: execution,
  EffectStartedExecution: { ...started, sendBefore: '2026-11-29T09:01:02.991630Z' },
  ExecutionPage: { items: [execution], nextCursor: null },
  Claimed: {
    disposition: 'CLAIMED',
    executionId,
    fencingToken: '1',
    attempt: 1,
    leaseExpiresAt: '2026-11-29T09:01:02.991630Z',
  },
  ResultReused: { disposition: 'RESULT_REUSED', executionId, resultId: 'MSG-9', resultUrl: null },
  Unprotected: { disposition: 'KEY_MISSING', unprotected: true },
  DuplicateHeld: {
    disposition: 'DUPLICATE_HELD',
    executionId,
    retryAfterSeconds: 41,
    owner: 'mailer-2',
    since: '2026-11-29T09:00:02.991630Z',
    progress: null,
  },
  KeylessRecorded: { intakeId: '5b0f0c2e-7b9a-4a7e-8f5e-2f6b8f1f3a10', disposition: 'KEY_MISSING' },
};

/** Members that belong to a code beside the five of every problem. */
const MEMBERS: Partial<Record<ProblemCode, object>> = {
  IDEMPOTENCY_KEY_REUSED: { executionId, conflictingFields: ['/amount'] },
  IDEMPOTENCY_KEY_SUPERSEDED: { executionId, newKey: `reissue-${executionId}`, newExecutionId: executionId },
  IDEMPOTENCY_KEY_EXPIRED: { executionId, resultId: 'MSG-9', resultUrl: null },
  REQUEST_IN_PROGRESS: { executionId, retryAfterSeconds: 41 },
  SINGLE_EXECUTOR_BUSY: { executionId, retryAfterSeconds: 41 },
  RECONCILE_REQUIRED: { executionId, underReview: true, nextCheckAt: '2026-11-29T09:10:00.000000Z' },
  INVALID_REQUEST: { errors: [{ pointer: '/requestId', detail: 'is missing' }] },
  RATE_LIMITED: { retryAfterSeconds: 1 },
  DATABASE_UNAVAILABLE: { retryAfterSeconds: 2 },
  OPERATION_PAUSED: { retryAfterSeconds: 60 },
  REQUEST_STATUS_UNCONFIRMED: { retryAfterSeconds: 1 },
};

export function problemExample(code: ProblemCode): object {
  const { status, title } = PROBLEM_CODES[code];
  return { type: problemType(code), title, status, detail: `${title}.`, code, ...MEMBERS[code] };
}
