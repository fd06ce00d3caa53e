'use client';

import { AlarmClock, Clock3 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { HOUR } from '@/lib/domain/spans';
import { useCoarseSpan } from '../time/span-words';
import { useNow } from '../time/clock';
import { isoLike, useAgo } from '../time/instant';
import { classNames } from '../ui/class-names';

/** When it is due: how long is left, or by how much it is late, in words and shape as well as colour. */
export function DueMark({ at }: { at: string }) {
  const t = useTranslations('common.time');
  const span = useCoarseSpan();
  const ago = useAgo(at);
  const left = new Date(at).getTime() - useNow(5_000);
  const late = left < 0;
  const Icon = late ? AlarmClock : Clock3;
  return (
    <time
      dateTime={at}
      title={t('utc', { instant: isoLike(at, 'UTC') })}
      className={classNames(
        'tabular inline-flex items-center gap-1.5 align-middle whitespace-nowrap',
        late ? 'font-medium text-danger' : left < HOUR ? 'text-caution' : 'text-ink-muted',
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {late ? t('overdue', { span: span(left) }) : ago}
    </time>
  );
}
