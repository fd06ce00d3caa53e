/**
 * Every code that the producer API answers in `application/problem+json`, with its fixed words.
 *
 * One total record: a code without words does not compile. Titles are protocol text for engineers and are not
 * translated (RFC 9457, section 3.1.4 asks for a title that does not change from occurrence to occurrence).
 */
export interface ProblemKind {
  /** HTTP status that always goes with the code. */
  readonly status: number;
  /** Short English summary, the same for every occurrence. */
  readonly title: string;
  /** Whether the same request with the same key may succeed later without anybody changing anything. */
  readonly retryable: boolean;
}

const PROBLEMS = {
  IDEMPOTENCY_KEY_MISSING: { status: 400, title: 'The Idempotency-Key header is missing', retryable: false },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    title: 'The Idempotency-Key header is not a valid key',
    retryable: false,
  },
  INVALID_REQUEST: { status: 400, title: 'The request is malformed', retryable: false },
  UNAUTHENTICATED: {
    status: 401,
    title: 'The bearer token is missing, unknown, expired or revoked',
    retryable: false,
  },
  FORBIDDEN: { status: 403, title: 'The token does not allow this operation', retryable: false },
  NOT_FOUND: { status: 404, title: 'There is nothing here that this token may see', retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This address does not support the method', retryable: false },
  REQUEST_TIMEOUT: { status: 408, title: 'The request did not arrive in time', retryable: true },
  REQUEST_IN_PROGRESS: { status: 409, title: 'An equal request is being worked on', retryable: true },
  IDEMPOTENCY_KEY_REUSED: { status: 409, title: 'The key was used for another content', retryable: false },
  RECONCILE_REQUIRED: {
    status: 409,
    title: 'The result is in doubt and must be settled first',
    retryable: false,
  },
  IDEMPOTENCY_KEY_SUPERSEDED: { status: 409, title: 'The key was replaced by a new one', retryable: false },
  BUSINESS_REFERENCE_TAKEN: {
    status: 409,
    title: 'Another execution holds the business reference',
    retryable: false,
  },
  REQUEST_STATUS_UNCONFIRMED: {
    status: 409,
    title: 'The state of an equal request could not be read yet',
    retryable: true,
  },
  SINGLE_EXECUTOR_BUSY: {
    status: 409,
    title: 'The operation allows one running execution at a time',
    retryable: true,
  },
  ATTEMPTS_EXHAUSTED: { status: 409, title: 'No attempts are left', retryable: false },
  EXECUTION_FAILED_FINAL: { status: 409, title: 'The execution was refused for good', retryable: false },
  FENCED: { status: 409, title: 'The fencing token is not the present one', retryable: false },
  INVALID_STATE: {
    status: 409,
    title: 'The state of the execution does not allow the move',
    retryable: false,
  },
  RESULT_CONFLICT: { status: 409, title: 'The execution already has another result', retryable: false },
  EFFECT_ALREADY_STARTED: { status: 409, title: 'The effect has already been started', retryable: false },
  IDEMPOTENCY_KEY_EXPIRED: { status: 410, title: 'The record of this key has expired', retryable: false },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is larger than 1 MiB', retryable: false },
  UNPROCESSABLE: { status: 422, title: 'The request is well-formed but impossible', retryable: false },
  RATE_LIMITED: { status: 429, title: 'Too many requests for this principal', retryable: true },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers of the request are too large', retryable: false },
  UNKNOWN_IDEMPOTENCY_STATE: {
    status: 500,
    title: 'The ledger holds a state that this version does not know',
    retryable: false,
  },
  INTERNAL_ERROR: { status: 500, title: 'The request could not be answered', retryable: false },
  RETRY_DEADLINE_EXCEEDED: { status: 503, title: 'The deadline for retries was reached', retryable: true },
  RETRY_LIMIT_REACHED: { status: 503, title: 'The number of retries was reached', retryable: true },
  OPERATION_PAUSED: { status: 503, title: 'Automatic execution of the operation is paused', retryable: true },
  DATABASE_UNAVAILABLE: {
    status: 503,
    title: 'The ledger cannot be reached; nothing was executed',
    retryable: true,
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export const PROBLEM_CODES: Readonly<Record<ProblemCode, ProblemKind>> = PROBLEMS;

export function isProblemCode(value: unknown): value is ProblemCode {
  return typeof value === 'string' && Object.hasOwn(PROBLEMS, value);
}

/** The `type` member: a stable identifier, not an address to open. */
export function problemType(code: ProblemCode): string {
  return `urn:problem-type:onceover:${code.toLowerCase().replaceAll('_', '-')}`;
}
