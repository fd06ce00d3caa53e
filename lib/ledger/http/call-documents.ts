import type { ProblemCode } from '@/lib/domain/problem-codes';
import type { CallName } from './addresses';
import type { AnswerName, BodyName } from './document-schemas';

/** One success of a call; headers beside the ones that every answer has. */
interface SuccessDocument {
  readonly status: number;
  readonly says: string;
  /** More than one: the body is one of them. Absent: described in words alone. */
  readonly bodies: readonly AnswerName[];
  readonly headers?: readonly HeaderName[];
}

export type HeaderName =
  | 'Location'
  | 'Retry-After'
  | 'Preference-Applied'
  | 'Idempotency-Replayed'
  | 'Onceover-Execution'
  | 'Onceover-Disposition';

export interface CallDocument {
  readonly tag: 'Claims' | 'Reports' | 'Reading';
  readonly summary: string;
  readonly says: string;
  readonly body?: BodyName;
  /** `required` for calls that have no meaning without a key. */
  readonly key?: boolean;
  readonly query?: readonly ('byKey' | 'waiting' | 'workflow' | 'page')[];
  readonly successes: readonly SuccessDocument[];
  /** Beside those of every call (`COMMON` and, with a body, `OF_BODIES`). */
  readonly problems: readonly ProblemCode[];
}

const REPLAY = ['Idempotency-Replayed', 'Onceover-Execution'] as const;

const ARRIVAL_PROBLEMS: readonly ProblemCode[] = [
  'IDEMPOTENCY_KEY_MISSING',
  'IDEMPOTENCY_KEY_INVALID',
  'FORBIDDEN',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_SUPERSEDED',
  'BUSINESS_REFERENCE_TAKEN',
  'REQUEST_STATUS_UNCONFIRMED',
  'UNKNOWN_IDEMPOTENCY_STATE',
];

const done = (says: string): SuccessDocument => ({ status: 200, says, bodies: ['Execution'] });

function report(
  summary: string,
  body: BodyName,
  says: string,
  problems: readonly ProblemCode[],
): CallDocument {
  const success =
    body === 'EffectStartedBody'
      ? ({ status: 200, says: 'Announced.', bodies: ['EffectStartedExecution'] } as const)
      : done('Recorded. The same report again answers the same.');
  return {
    tag: 'Reports',
    summary,
    says,
    body,
    successes: [success],
    problems: ['FORBIDDEN', 'NOT_FOUND', 'FENCED', 'INVALID_STATE', 'UNKNOWN_IDEMPOTENCY_STATE', ...problems],
  };
}

/** What the document says of each call; a call without words does not compile. */
export const CALLS: Readonly<Record<CallName, CallDocument>> = {
  claim: {
    tag: 'Claims',
    summary: 'Claim the work',
    says:
      'Of any number of equal claims one gets the work; the others get its result or are told why not. ' +
      'Where a finished execution stored a response, every later equal claim is answered with exactly that status, body and headers, marked by `Idempotency-Replayed: true`.',
    body: 'ClaimBody',
    key: true,
    successes: [
      {
        status: 201,
        says: 'The work is yours: the first claim, a retry with the same key, or a takeover before the effect started.',
        bodies: ['Claimed'],
        headers: ['Location'],
      },
      {
        status: 200,
        says: 'Done earlier, and no response was stored (`RESULT_REUSED`); or a request without a key that the policy lets pass unprotected (`KEY_MISSING`).',
        bodies: ['ResultReused', 'Unprotected'],
        headers: [...REPLAY, 'Onceover-Disposition'],
      },
      {
        status: 202,
        says: 'Somebody else is at work. Only with `Prefer: respond-async`; otherwise this is 409 `REQUEST_IN_PROGRESS`.',
        bodies: ['DuplicateHeld'],
        headers: ['Location', 'Retry-After', 'Preference-Applied'],
      },
    ],
    problems: [
      ...ARRIVAL_PROBLEMS,
      'REQUEST_IN_PROGRESS',
      'RECONCILE_REQUIRED',
      'SINGLE_EXECUTOR_BUSY',
      'ATTEMPTS_EXHAUSTED',
      'EXECUTION_FAILED_FINAL',
      'INVALID_STATE',
      'IDEMPOTENCY_KEY_EXPIRED',
      'OPERATION_PAUSED',
    ],
  },
  register: {
    tag: 'Claims',
    summary: 'Register work for later',
    says:
      'Makes the record without claiming it. An equal earlier one is answered as it is now. The body is that of a claim; ' +
      '`owner`, `leaseSeconds` and `attemptId` are about an attempt and have no meaning here: the later claim tells its own.',
    body: 'ClaimBody',
    key: true,
    successes: [
      { status: 202, says: 'Registered.', bodies: ['Execution'], headers: ['Location'] },
      { status: 200, says: 'Without a key, where the policy lets it pass.', bodies: ['Unprotected'] },
    ],
    problems: [...ARRIVAL_PROBLEMS, 'IDEMPOTENCY_KEY_EXPIRED', 'OPERATION_PAUSED'],
  },
  reportKeyless: {
    tag: 'Claims',
    summary: 'Report a request that has no key',
    says: 'Recorded for people to settle; nothing is protected, and each call is one more arrival. Never repeat it by itself.',
    body: 'KeylessBody',
    successes: [{ status: 202, says: 'Recorded.', bodies: ['KeylessRecorded'] }],
    problems: ['FORBIDDEN'],
  },
  effectStarted: report(
    'Announce the effect',
    'EffectStartedBody',
    'Before the outside call is sent. Send only until `sendBefore`.',
    ['RECONCILE_REQUIRED'],
  ),
  heartbeat: report(
    'Keep the lease',
    'HeartbeatBody',
    'Prolongs the lease, and carries progress and job id.',
    [],
  ),
  complete: report(
    'Report success',
    'CompleteBody',
    'With the outside system’s own id. A missing or doubted result answers 200 with state `UNKNOWN`.',
    ['RESULT_CONFLICT'],
  ),
  fail: report(
    'Report failure',
    'FailBody',
    'Final, or free to be tried again with the same key. Once the effect has started, the latter needs a basis, or it means `UNKNOWN`.',
    [],
  ),
  reportUnknown: report(
    'Report doubt',
    'UnknownBody',
    'A time-out is no failure: when the effect may exist and nobody knows, say so. People or a lookup settle it.',
    [],
  ),
  cancel: report('Cancel', 'CancelBody', 'Possible until the effect has started.', [
    'EFFECT_ALREADY_STARTED',
  ]),
  getExecution: {
    tag: 'Reading',
    summary: 'Read one execution',
    says: 'Unknown ids and those of others have the same answer.',
    successes: [done('The record.')],
    problems: ['NOT_FOUND', 'UNKNOWN_IDEMPOTENCY_STATE'],
  },
  listExecutions: {
    tag: 'Reading',
    summary: 'Find executions',
    says:
      'One of three forms. `operation` and `key`: the execution of a key, or none. `state`: work that waits for an executor, oldest first. ' +
      '`workflowId`: the steps of a workflow, also where its id fits no path (`.` and `..`).',
    query: ['byKey', 'waiting', 'workflow'],
    successes: [{ status: 200, says: 'A page.', bodies: ['ExecutionPage'] }],
    problems: ['FORBIDDEN', 'UNKNOWN_IDEMPOTENCY_STATE'],
  },
  listWorkflow: {
    tag: 'Reading',
    summary: 'Read the steps of a workflow',
    says: 'In the order in which they came.',
    query: ['page'],
    successes: [{ status: 200, says: 'A page.', bodies: ['ExecutionPage'] }],
    problems: ['UNKNOWN_IDEMPOTENCY_STATE'],
  },
  getDocument: {
    tag: 'Reading',
    summary: 'This document',
    says: 'Needs no token.',
    successes: [{ status: 200, says: 'OpenAPI 3.1.', bodies: [] }],
    problems: [],
  },
};
