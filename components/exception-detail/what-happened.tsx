import { useTranslations } from 'next-intl';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { visibleText } from '@/lib/domain/visible-text';

const REASONS = [
  'REPORTED',
  'LEASE_OVER',
  'NO_PROOF',
  'MISSING_RESULT_ID',
  'RESULT_MISMATCH',
  'CONTRADICTED',
  'DECLARED',
  'NOBODY_TOOK_OVER',
  'OVER_LIMIT',
  'NOT_CLAIMED_IN_TIME',
  'NOBODY_CAME_BACK',
  'ATTEMPTS_EXHAUSTED',
  'FIX_FIRST',
  'CONTENT_DIFFERS',
  'LATE_ARRIVAL',
  'RETENTION_OVER',
  'LATE_SUCCESS',
  'RESULT_ID_CLEARED',
  'LOOKUP_FOUND_SEVERAL',
  'REFUSED',
  'PASSED_UNPROTECTED',
  'TOO_MANY_CONFLICTS',
] as const;

/** The story in a sentence or two, in words that need no engineer. */
export function WhatHappened({ view }: { view: ExceptionView }) {
  const t = useTranslations('exception');
  const { exception, execution, attempts, arrivals } = view;
  const reason = REASONS.find((each) => each === exception.reasonCode) ?? 'other';
  const last = attempts.at(-1);
  const reported = execution?.reportedResultId ?? view.lateReports.at(-1)?.resultId ?? execution?.resultId;
  const failure = [execution?.failureCode, execution?.failureMessage]
    .filter((each) => each != null)
    .join(': ');
  const effects = attempts.filter((attempt) => attempt.effectStartedAt !== null).length;
  return (
    <section aria-labelledby="happened" className="flex flex-col gap-1">
      <h2 id="happened" className="text-base font-semibold">
        {t('happenedTitle')}
      </h2>
      <p className="text-base text-pretty [overflow-wrap:anywhere]">
        {t(`happened.${reason}`, {
          owner: visibleText(last?.owner ?? execution?.owner ?? exception.principalId ?? ''),
          result: visibleText(reported ?? t('noResult')),
          failure: failure === '' ? 'none' : visibleText(failure),
          count: execution?.attemptsSpent ?? 0,
          code: exception.reasonCode,
        })}
      </p>
      {execution !== null && (
        <p className="tabular text-xs text-ink-muted">
          {t('happenedNumbers', { arrivals: arrivals.total, attempts: attempts.length, effects })}
        </p>
      )}
    </section>
  );
}
