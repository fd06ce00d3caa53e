import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type BreakGlassUse } from '@/lib/domain/break-glass';
import { visibleText } from '@/lib/domain/visible-text';
import { Notice } from '../ui/notice';

/** Emergency acts that nobody has reviewed: told to managers, and listed for those who may review them. */
export function OpenReviews({ uses }: { uses: readonly BreakGlassUse[] }) {
  const t = useTranslations('approvals.breakGlass');
  if (uses.length === 0) return null;
  return (
    <div className="px-4 pb-3 md:px-6">
      <Notice tone="danger" title={t('noticeTitle', { count: uses.length })}>
        <ul className="flex flex-col gap-1">
          {uses.map((use) => (
            <li key={use.requestId}>
              {t('noticeLine', {
                who: visibleText(use.usedBy.name ?? use.usedBy.id),
                operation: visibleText(use.operation),
                tenant: visibleText(use.tenantName),
                reason: visibleText(use.reason),
              })}{' '}
              <Link href={`/approvals/${use.requestId}`} className="underline underline-offset-3">
                {t('noticeLink')}
              </Link>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
