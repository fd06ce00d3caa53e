import type { AttemptView, ExceptionFacts, ExceptionView, LateReportView } from './exception-view';

/** The attempts of an execution as one of its exceptions sees them. */
export interface ExceptionAttempts {
  /** The attempt that the exception is about; null when nobody had tried yet. */
  readonly about: AttemptView | null;
  /** The report that arrived too late and opened it; null for every other reason. */
  readonly report: LateReportView | null;
  /** Attempts that began after the exception had opened: another story. */
  readonly later: readonly AttemptView[];
}

/** Reasons that a report with an old token gives: told of its sender, not of whoever tries now. */
const BY_LATE_REPORT: readonly string[] = ['CONTRADICTED', 'LATE_SUCCESS'];

type Told = Pick<ExceptionView, 'attempts' | 'lateReports'> & {
  readonly exception: Pick<ExceptionFacts, 'reasonCode' | 'openedAt'>;
};

/** Who did what the exception tells of. Instants are compared as text: all are UTC to the microsecond. */
export function attemptsOf({ exception, attempts, lateReports }: Told): ExceptionAttempts {
  const begun = attempts.filter((attempt) => attempt.startedAt <= exception.openedAt);
  const later = attempts.filter((attempt) => attempt.startedAt > exception.openedAt);
  const report = BY_LATE_REPORT.includes(exception.reasonCode)
    ? lateReports.findLast((each) => each.verb === 'complete' && each.receivedAt <= exception.openedAt)
    : undefined;
  const sender = begun.find((attempt) => attempt.fencingToken === report?.fencingToken);
  return { about: sender ?? begun.at(-1) ?? null, report: report ?? null, later };
}

const ATTEMPT_OUTCOMES = [
  'SUCCEEDED',
  'FAILED_FINAL',
  'FAILED_RETRYABLE',
  'UNKNOWN',
  'CANCELLED',
  'TAKEN_OVER',
  'DECIDED',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number] | 'RUNNING';

/** How a stored attempt ended; without an end it runs. */
export function attemptOutcome(stored: string | null): AttemptOutcome {
  if (stored === null) return 'RUNNING';
  const known = ATTEMPT_OUTCOMES.find((each) => each === stored);
  if (known === undefined) throw new Error(`bug: unknown outcome of an attempt ${stored}`);
  return known;
}
