'use client';

import { useTranslations } from 'next-intl';
import { useNow } from './clock';
import { isoLike } from './instant';
import { useSpan } from './span-words';

/** How long ago something began, as a length that grows: `3 h 12 min`. `until` stops it. */
export function Age({
  since,
  until,
  className,
}: {
  since: string;
  until?: string | null;
  className?: string;
}) {
  const t = useTranslations('common.time');
  const span = useSpan();
  const now = useNow(5_000);
  const end = until == null ? now : new Date(until).getTime();
  return (
    <time dateTime={since} title={t('utc', { instant: isoLike(since, 'UTC') })} className={className}>
      {span(Math.max(0, end - new Date(since).getTime()))}
    </time>
  );
}
