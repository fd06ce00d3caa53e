/** What an exception can be about. Source: domain, section 1; one open exception per execution and kind. */
export const EXCEPTION_KINDS = [
  'UNKNOWN_RESULT',
  'STUCK_PROCESSING',
  'LONG_RUNNING',
  'CONTENT_CONFLICT',
  'EXPIRED_KEY',
  'MISSING_RESULT_ID',
  'RESULT_MISMATCH',
  'DUPLICATE_RESULT',
  'ORPHAN_EFFECT',
  'CONTRADICTED_DECISION',
  'RETRY_STALLED',
  'UNCLAIMED',
  'KEY_MISSING',
  'OPERATION_PAUSED',
] as const;

export type ExceptionKind = (typeof EXCEPTION_KINDS)[number];

export const EXCEPTION_STATES = ['OPEN', 'CLOSED'] as const;

export type ExceptionState = (typeof EXCEPTION_STATES)[number];

/** 1 ranks first. Set by the operation's policy. */
export const SEVERITIES = [1, 2, 3, 4] as const;

export type Severity = (typeof SEVERITIES)[number];

export function isExceptionKind(value: unknown): value is ExceptionKind {
  return (EXCEPTION_KINDS as readonly unknown[]).includes(value);
}
