import { REASONS } from './plain-account';

type OwnReason = (typeof REASONS)[number];

/** What is shared by exceptions that came about in the same way. */
export interface Cause {
  /** The ledger's own reason; null: `code` is what an executor reported. */
  reason: OwnReason | null;
  code: string;
  /** The outside system, where one is named. */
  system: string | null;
}

const AT = ' @ ';

/** Reads what `review.cause_of` writes: `TIMEOUT @ crm`, `lease-over @ crm`, `refused`. */
export function readCause(cause: string): Cause {
  const at = cause.indexOf(AT);
  const code = at < 0 ? cause : cause.slice(0, at);
  const reason = REASONS.find((each) => each.toLowerCase().replaceAll('_', '-') === code) ?? null;
  return { reason, code, system: at < 0 ? null : cause.slice(at + AT.length) };
}
