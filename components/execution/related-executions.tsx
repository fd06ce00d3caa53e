import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type RelatedExecution } from '@/lib/domain/exception-view';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Badge } from '../ui/badge';
import { Repeat2 } from 'lucide-react';
import { StateBadge } from './state-badge';

interface RelatedExecutionsProps {
  label: string;
  executions: readonly RelatedExecution[];
}

/** The steps of a workflow, in order. */
export function RelatedExecutions({ label, executions }: RelatedExecutionsProps) {
  const t = useTranslations('executions.detail');
  const relations = useTranslations('glossary.relation');
  return (
    <ol aria-label={label} className="-my-1 flex flex-col">
      {executions.map((execution) => (
        <li
          key={execution.executionId}
          aria-current={execution.isThis || undefined}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 last:border-b-0"
        >
          <div className="min-w-0 flex-1 basis-40">
            <p className="truncate text-sm font-medium">
              {execution.isThis ? (
                <>
                  <VisibleText text={execution.step ?? execution.operation} />{' '}
                  <span className="text-xs font-normal text-ink-faint">{t('thisOne')}</span>
                </>
              ) : (
                <Link href={`/executions/${execution.executionId}`} className="text-accent hover:underline">
                  <VisibleText text={execution.step ?? execution.operation} />
                </Link>
              )}
            </p>
            <span className="flex min-w-0 text-xs text-ink-muted">
              <KeyText value={execution.key} cut />
            </span>
          </div>
          {execution.relation !== null && (
            <Badge icon={Repeat2} tone="novel" look="plain" className="text-xs">
              {relations(execution.relation)}
            </Badge>
          )}
          <StateBadge state={execution.state} />
        </li>
      ))}
    </ol>
  );
}
