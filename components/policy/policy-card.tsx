'use client';

import { Hourglass } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type PolicyListRow } from '@/lib/domain/policy-row';
import { StepsText } from '../approval/step-text';
import { ProtectionText } from '../execution/protection-text';
import { VisibleText } from '../text/visible-text';
import { Badge } from '../ui/badge';
import { FactList } from '../ui/fact-list';
import { policyAddress } from './policy-address';
import { useLengthWords } from './policy-words';

/** One operation in the list: what is promised of it, who approves what, and whether a change waits. */
export function PolicyCard({ row }: { row: PolicyListRow }) {
  const t = useTranslations('policies.list');
  const glossary = useTranslations('glossary');
  const length = useLengthWords();
  const { summary, content } = row;
  const version = (number: number) => (number === 0 ? t('builtIn') : t('version', { version: number }));
  return (
    <li className="flex min-w-0 flex-col rounded-lg border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-2.5">
        <h2 className="min-w-0 text-sm font-semibold">
          <Link
            href={policyAddress('operation', row.tenantId, row.operation)}
            className="underline-offset-3 hover:underline"
          >
            <VisibleText text={row.operation} />
          </Link>
        </h2>
        {(summary.waits || row.proposal !== null) && (
          <Badge icon={Hourglass} tone="progress">
            {t('waiting')}
          </Badge>
        )}
        <p className="ml-auto text-xs text-ink-muted">
          <VisibleText text={row.tenantName} /> ·{' '}
          {t('versions', {
            operation: version(summary.version),
            approval: content.removes ? t('removed') : version(row.version),
          })}
        </p>
      </header>
      <div className="flex flex-col gap-3 px-4 py-3 text-sm">
        <FactList
          absent=""
          className="sm:grid-cols-4"
          facts={[
            { term: t('effect'), value: glossary(`effectClass.${summary.effectClass}`) },
            { term: t('protection'), value: <ProtectionText of={summary} /> },
            { term: t('kept'), value: length(summary.retentionSeconds) },
            {
              term: t('guide'),
              value: summary.hasGuide ? (
                t('guideThere')
              ) : (
                <span className="font-medium text-caution">{t('guideMissing')}</span>
              ),
            },
          ]}
        />
        {!content.removes && <StepsText steps={content.steps} named />}
      </div>
    </li>
  );
}
