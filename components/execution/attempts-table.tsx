import { useTranslations } from 'next-intl';
import { Fragment } from 'react';
import { type AttemptView } from '@/lib/domain/exception-view';
import { AsReported } from '../text/as-reported';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Cell, HeadCell, Table } from '../ui/table';
import { AttemptOutcome } from './attempt-outcome';

/** Every try at the effect, the first at the top. */
export function AttemptsTable({ attempts }: { attempts: readonly AttemptView[] }) {
  const t = useTranslations('executions.detail');
  return (
    <Table wide caption={t('attempts')}>
      <thead>
        <tr>
          <HeadCell>{t('attemptColumn')}</HeadCell>
          <HeadCell>{t('outcome')}</HeadCell>
          <HeadCell>{t('owner')}</HeadCell>
          <HeadCell>{t('started')}</HeadCell>
          <HeadCell>{t('effectStarted')}</HeadCell>
          <HeadCell>{t('ended')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt) => (
          <Fragment key={attempt.attempt}>
            <tr className={hasFailure(attempt) ? '[&>td]:border-b-0' : undefined}>
              <Cell className="tabular whitespace-nowrap">{attempt.attempt}</Cell>
              <Cell className="min-w-30">
                <AttemptOutcome outcome={attempt.outcome} />
              </Cell>
              <Cell className="min-w-24 text-xs">
                <VisibleText text={attempt.owner} />
              </Cell>
              <Time at={attempt.startedAt} />
              <Time at={attempt.effectStartedAt} absent={t('notStarted')} />
              <Time at={attempt.endedAt} absent="–" />
            </tr>
            {hasFailure(attempt) && (
              <tr>
                <Cell />
                <Cell colSpan={5} className="pt-0">
                  <AsReported code={attempt.failureCode} message={attempt.failureMessage} />
                </Cell>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </Table>
  );
}

const hasFailure = ({ failureCode, failureMessage }: AttemptView) =>
  failureCode !== null || failureMessage !== null;

function Time({ at, absent }: { at: string | null; absent?: string }) {
  return (
    <Cell className="tabular min-w-26 text-xs text-ink-muted">
      {at === null ? absent : <Instant at={at} look="full" />}
    </Cell>
  );
}
