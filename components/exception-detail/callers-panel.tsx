import { useTranslations } from 'next-intl';
import { callerAnswer } from '@/lib/domain/caller-impact';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { AnswerText } from '../decision/answer-text';
import { DispositionBadge } from '../execution/disposition-badge';
import { KeyText } from '../text/key-text';
import { Instant } from '../time/instant';
import { Panel } from '../ui/panel';
import { Cell, HeadCell, Table } from '../ui/table';

/** Who sends this key, when last, and what each gets at this moment. */
export function CallersPanel({ view }: { view: ExceptionView }) {
  const t = useTranslations('exception.callers');
  const { impact, execution, pause } = view;
  const conflicting = view.conflicts.length > 0;
  return (
    <Panel title={t('title')}>
      <div className="flex flex-col gap-2.5 text-sm">
        <p className="text-xs text-ink-muted">
          {t(pause !== null ? 'pauseLead' : execution === null ? 'keylessLead' : 'lead')}
        </p>
        {impact.callers.length === 0 ? (
          <p className="text-ink-muted">{t(pause === null ? 'none' : 'pauseNone')}</p>
        ) : (
          <Table wide caption={t('title')}>
            <thead>
              <tr>
                <HeadCell>{t('request')}</HeadCell>
                <HeadCell className="text-right">{t('arrivals')}</HeadCell>
                <HeadCell>{t('last')}</HeadCell>
                <HeadCell>{t('lastAnswer')}</HeadCell>
                {pause !== null && <HeadCell>{t('nowEach')}</HeadCell>}
              </tr>
            </thead>
            <tbody>
              {impact.callers.map((caller) => (
                <tr key={`${caller.requestId ?? ''} ${caller.key ?? ''}`}>
                  <Cell>
                    {caller.requestId === null ? (
                      <span className="text-ink-faint">{t('noRequestId')}</span>
                    ) : (
                      <KeyText value={caller.requestId} />
                    )}
                  </Cell>
                  <Cell className="tabular text-right">{caller.arrivals}</Cell>
                  <Cell className="whitespace-nowrap">
                    <Instant at={caller.lastAt} look="ago" />
                  </Cell>
                  <Cell>
                    <DispositionBadge disposition={caller.lastDisposition} />
                  </Cell>
                  {pause !== null && <Cell>{caller.now !== null && <AnswerText answer={caller.now} />}</Cell>}
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        {impact.now !== null && pause === null && (
          <p>
            <span className="text-ink-muted">{t(conflicting ? 'nowStored' : 'now')}: </span>
            <AnswerText answer={impact.now} />
          </p>
        )}
        {conflicting && (
          <p>
            <span className="text-ink-muted">{t('nowOther')}: </span>
            <AnswerText answer={callerAnswer('IDEMPOTENCY_KEY_REUSED')} />
          </p>
        )}
      </div>
    </Panel>
  );
}
