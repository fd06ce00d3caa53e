/** What the ledger made of one arrival; kept with the intake for ever. Source: domain, section 1. */
export const INTAKE_DISPOSITIONS = [
  'CLAIMED',
  'RESULT_REUSED',
  'DUPLICATE_HELD',
  'CONTENT_CONFLICT',
  'KEY_MISSING',
  'RECONCILE_REQUIRED',
  'RETRY_SAME_KEY',
  'RECORD_EXPIRED',
  'SUPERSEDED',
  'OPERATION_PAUSED',
  'REGISTERED',
  'SAME_ATTEMPT',
  'BUSINESS_REFERENCE_TAKEN',
  'SINGLE_EXECUTOR_BUSY',
  'ATTEMPTS_EXHAUSTED',
] as const;

export type IntakeDisposition = (typeof INTAKE_DISPOSITIONS)[number];

/** Dispositions that hand the work to the caller. */
export const CLAIMING_DISPOSITIONS = [
  'CLAIMED',
  'RETRY_SAME_KEY',
  'SAME_ATTEMPT',
] as const satisfies readonly IntakeDisposition[];

export type ClaimingDisposition = (typeof CLAIMING_DISPOSITIONS)[number];

export function isClaimingDisposition(value: unknown): value is ClaimingDisposition {
  return (CLAIMING_DISPOSITIONS as readonly unknown[]).includes(value);
}
