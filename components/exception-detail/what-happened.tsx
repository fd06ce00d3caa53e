import { useTranslations } from 'next-intl';
import { Fragment } from 'react';
import { attemptOutcome, attemptsOf } from '@/lib/domain/exception-attempts';
import { type AttemptView, type ExceptionView } from '@/lib/domain/exception-view';
import { visibleText } from '@/lib/domain/visible-text';
import { AsReported } from '../text/as-reported';

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
  'IN_PROVIDER_REPORT',
] as const;

/** The story in a sentence or two, in words that need no engineer: of the attempt that the exception is about. */
export function WhatHappened({ view }: { view: ExceptionView }) {
  const t = useTranslations('exception');
  const { exception, execution, attempts, arrivals, pause } = view;
  const reason = REASONS.find((each) => each === exception.reasonCode) ?? 'other';
  const { about, report, later } = attemptsOf(view);
  const reported = report?.resultId ?? execution?.reportedResultId ?? execution?.resultId;
  const effects = attempts.filter((attempt) => attempt.effectStartedAt !== null).length;
  return (
    <section aria-labelledby="happened" className="flex flex-col gap-1">
      <h2 id="happened" className="text-base font-semibold">
        {t('happenedTitle')}
      </h2>
      <p className="text-base text-pretty [overflow-wrap:anywhere]">
        {t(`happened.${reason}`, {
          owner: visibleText(about?.owner ?? exception.principalId ?? ''),
          result: visibleText(reported ?? t('noResult')),
          count: Math.max(0, (execution?.attemptsSpent ?? 0) - later.length),
          code: exception.reasonCode,
        })}
        <Later attempts={later} />
      </p>
      {about !== null && FAILED.includes(reason) && (
        <AsReported code={about.failureCode} message={about.failureMessage} />
      )}
      {pause !== null && pause.tolerated !== null && (
        <p className="tabular text-sm">
          {t('pauseCounted', {
            count: pause.counted,
            tolerated: pause.tolerated,
            minutes: Math.round(pause.windowSeconds / 60),
          })}
        </p>
      )}
      {execution !== null && (
        <p className="tabular text-xs text-ink-muted">
          {t('happenedNumbers', { arrivals: arrivals.total, attempts: attempts.length, effects })}
        </p>
      )}
    </section>
  );
}

/** Reasons that a failure's own text explains further. */
const FAILED: readonly string[] = [
  'REPORTED',
  'NO_PROOF',
  'FIX_FIRST',
  'NOBODY_CAME_BACK',
  'ATTEMPTS_EXHAUSTED',
];

/** What began after the exception had opened, told as that. */
function Later({ attempts }: { attempts: readonly AttemptView[] }) {
  const t = useTranslations('exception');
  const glossary = useTranslations('glossary.attemptOutcome');
  return attempts.map(({ attempt, owner, outcome }) => (
    <Fragment key={attempt}>
      {' '}
      {t('happenedLater', {
        owner: visibleText(owner),
        number: attempt,
        outcome: glossary(attemptOutcome(outcome)),
      })}
    </Fragment>
  ));
}
