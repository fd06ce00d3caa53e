import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ExecutionException } from '@/lib/domain/execution-view';
import { ExceptionStateBadge } from '../exception/exception-state-badge';
import { KindBadge } from '../exception/kind-badge';
import { Instant } from '../time/instant';

/** The exceptions that were ever opened for a record, the newest first. */
export function ExecutionExceptions({
  exceptions,
  label,
}: {
  exceptions: readonly ExecutionException[];
  label: string;
}) {
  const t = useTranslations('executions.detail');
  if (exceptions.length === 0) return <p className="text-sm text-ink-muted">{t('exceptionsNone')}</p>;
  return (
    <ul aria-label={label} className="-my-1 flex flex-col">
      {exceptions.map((exception) => (
        <li
          key={exception.exceptionId}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 last:border-b-0"
        >
          <Link
            href={`/exceptions/${exception.exceptionId}`}
            className="min-w-0 flex-1 text-accent hover:underline"
          >
            <KindBadge kind={exception.kind} />
          </Link>
          <Instant at={exception.openedAt} look="ago" className="text-xs text-ink-faint" />
          <ExceptionStateBadge state={exception.state} />
        </li>
      ))}
    </ul>
  );
}
