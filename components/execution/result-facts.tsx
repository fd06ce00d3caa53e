import { ExternalLink } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ExecutionRecord } from '@/lib/domain/execution-view';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { CopyButton } from '../ui/copy-button';
import { FactList } from '../ui/fact-list';

/** What came of it: the effect's own id, what was reported and not believed, or why it failed. */
export function ResultFacts({ record }: { record: ExecutionRecord }) {
  const t = useTranslations('executions.detail');
  const words = useTranslations('common');
  const failure = [record.failureCode, record.failureMessage].filter((part) => part !== null).join(': ');
  return (
    <FactList
      absent={words('state.none')}
      className="sm:grid-cols-2"
      facts={[
        {
          term: t('resultId'),
          wide: true,
          value:
            record.resultId === null ? null : (
              <span className="inline-flex max-w-full items-center gap-1">
                <KeyText value={record.resultId} />
                <CopyButton text={record.resultId} what={t('resultId')} />
              </span>
            ),
        },
        ...(record.resultUrl !== null && /^https?:\/\//.test(record.resultUrl)
          ? [
              {
                term: t('resultAddress'),
                wide: true,
                value: <OutsideLink href={record.resultUrl} label={t('resultUrl')} />,
              },
            ]
          : []),
        ...(record.reportedResultId === null
          ? []
          : [
              { term: t('reportedResultId'), wide: true, value: <KeyText value={record.reportedResultId} /> },
            ]),
        ...(failure === ''
          ? []
          : [{ term: t('failure'), wide: true, value: <VisibleText text={failure} /> }]),
      ]}
    />
  );
}

function OutsideLink({ href, label }: { href: string; label: string }) {
  const t = useTranslations('common.action');
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex items-center gap-1.5 text-accent hover:underline"
    >
      {label}
      <ExternalLink aria-hidden className="size-3.5" />
      <span className="sr-only">({t('openOutside')})</span>
    </a>
  );
}
