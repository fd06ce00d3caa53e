import { useTranslations } from 'next-intl';
import { type EvidenceView } from '@/lib/domain/exception-view';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { CopyButton } from '../ui/copy-button';
import { FactList, type Fact } from '../ui/fact-list';
import { ErrorText } from './error-text';
import { OutsideLink } from './outside-link';

/** Everything kept of one look but the comparison: result, status, when, by whom, and what comes next. */
export function LookupMeta({ lookup, watch }: { lookup: EvidenceView; watch: boolean }) {
  const t = useTranslations('lookup');
  const common = useTranslations('common');
  const facts: Fact[] = [
    ...(lookup.resultId === null
      ? []
      : [
          {
            term: t('resultId'),
            value: (
              <span className="inline-flex items-center gap-1">
                {lookup.resultUrl === null ? (
                  <KeyText value={lookup.resultId} />
                ) : (
                  <OutsideLink href={lookup.resultUrl}>
                    <KeyText value={lookup.resultId} />
                  </OutsideLink>
                )}
                <CopyButton text={lookup.resultId} what={t('resultId')} />
              </span>
            ),
          },
        ]),
    ...(lookup.externalStatus === null
      ? []
      : [{ term: t('externalStatus'), value: t(`status.${lookup.externalStatus}`) }]),
    ...(lookup.targetAccount === null
      ? []
      : [{ term: t('account'), value: <VisibleText text={lookup.targetAccount} /> }]),
    { term: t('checked'), value: <CheckedBy lookup={lookup} /> },
    ...(lookup.place === null
      ? []
      : [{ term: t('place'), value: <VisibleText text={lookup.place} />, wide: true }]),
    ...(lookup.seen === null
      ? []
      : [{ term: t('seen'), value: <VisibleText text={lookup.seen} paragraphs />, wide: true }]),
    ...(lookup.errorClass === null
      ? []
      : [{ term: t('why'), value: <ErrorText errorClass={lookup.errorClass} />, wide: true }]),
    ...(lookup.nextPlace === null
      ? []
      : [{ term: t('nextPlace'), value: <VisibleText text={lookup.nextPlace} />, wide: true }]),
    ...(watch
      ? [
          {
            term: t('nextLook'),
            value:
              lookup.nextCheckAt === null ? (
                <span className="text-ink-muted">{t('nextLookNone')}</span>
              ) : (
                <Instant at={lookup.nextCheckAt} look="ago" />
              ),
          },
        ]
      : []),
  ];
  return <FactList facts={facts} absent={common('state.notGiven')} className="sm:grid-cols-4" />;
}

function CheckedBy({ lookup }: { lookup: EvidenceView }) {
  const t = useTranslations('lookup');
  return (
    <span>
      <Instant at={lookup.checkedAt} look="ago" />{' '}
      <span className="text-ink-muted">
        {lookup.checkedBy.kind === 'system'
          ? t('checkedAutomatically')
          : t.rich('checkedBy', {
              who: () => <VisibleText text={lookup.checkedBy.name ?? lookup.checkedBy.id} />,
            })}
        {lookup.durationMs !== null && ` · ${t('tookMs', { count: lookup.durationMs })}`}
      </span>
    </span>
  );
}
