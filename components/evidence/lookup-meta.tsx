import { useTranslations } from 'next-intl';
import { type EvidenceView } from '@/lib/domain/exception-view';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { CopyButton } from '../ui/copy-button';
import { FactList, type Fact } from '../ui/fact-list';
import { ErrorText } from './error-text';
import { OutsideLink } from './outside-link';

interface LookupMetaProps {
  lookup: EvidenceView;
  watch: boolean;
  /** Says when to the second alone, without how long ago: where somebody decides on this look and on no other. */
  exact?: boolean;
}

/** Everything kept of one look but the comparison: result, status, when, by whom, and what comes next. */
export function LookupMeta({ lookup, watch, exact = false }: LookupMetaProps) {
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
    { term: t('checked'), value: <CheckedBy lookup={lookup} exact={exact} /> },
    ...(lookup.place === null
      ? []
      : [{ term: t('place'), value: <VisibleText text={lookup.place} />, wide: true }]),
    ...(lookup.seen === null
      ? []
      : [{ term: t('seen'), value: <VisibleText text={lookup.seen} paragraphs />, wide: true }]),
    ...(lookup.errorClass === null
      ? []
      : [
          {
            term: t('why'),
            value: <ErrorText errorClass={lookup.errorClass} system={lookup.targetSystem} />,
            wide: true,
          },
        ]),
    ...(lookup.nextPlace === null
      ? []
      : [{ term: t('nextPlace'), value: <VisibleText text={lookup.nextPlace} />, wide: true }]),
    ...(watch
      ? [
          {
            term: t('nextLook'),
            value:
              lookup.nextCheckAt === null ? (
                <span className="text-ink-muted">{t(`noFurtherLook.${lookup.ending ?? 'OTHER'}`)}</span>
              ) : (
                <Instant at={lookup.nextCheckAt} look="ahead" />
              ),
          },
        ]
      : []),
  ];
  const [short, wide] = [
    facts.filter((fact) => fact.wide !== true),
    facts.filter((fact) => fact.wide === true),
  ];
  return (
    <div className="flex flex-col gap-2.5">
      <dl className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {short.map((fact) => (
          <div key={fact.term} className="min-w-0">
            <dt className="text-xs text-ink-muted">{fact.term}</dt>
            <dd className="mt-0.5 min-w-0">{fact.value}</dd>
          </div>
        ))}
      </dl>
      {wide.length > 0 && <FactList facts={wide} absent={common('state.notGiven')} />}
    </div>
  );
}

function CheckedBy({ lookup, exact }: { lookup: EvidenceView; exact: boolean }) {
  const t = useTranslations('lookup');
  return (
    <span>
      {!exact && (
        <>
          <Instant at={lookup.checkedAt} look="ago" />
          {' · '}
        </>
      )}
      <Instant at={lookup.checkedAt} look="full" className="tabular" />{' '}
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
