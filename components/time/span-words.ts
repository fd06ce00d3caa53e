import { useTranslations } from 'next-intl';
import { spanOf, type Span } from '@/lib/domain/spans';

type TimeWords = ReturnType<typeof useTranslations<'common.time'>>;

function told(t: TimeWords, span: Span): string {
  switch (span.unit) {
    case 'seconds':
      return t('spanSeconds', { count: span.count });
    case 'minutes':
      return t('spanMinutes', { count: span.count });
    case 'hours':
      return span.minutes === 0
        ? t('spanHoursOnly', { hours: span.hours })
        : t('spanHours', { hours: span.hours, minutes: span.minutes });
    case 'days':
      return span.hours === 0
        ? t('spanDaysOnly', { days: span.days })
        : t('spanDays', { days: span.days, hours: span.hours });
    default: {
      const impossible: never = span;
      throw new Error(`bug: unknown span ${JSON.stringify(impossible)}`);
    }
  }
}

/** A length of milliseconds in words: `3 h 12 min`. */
export function useSpan(): (milliseconds: number) => string {
  const t = useTranslations('common.time');
  return (milliseconds) => told(t, spanOf(milliseconds));
}

/** The same with its largest unit alone: `3 h`. */
export function useCoarseSpan(): (milliseconds: number) => string {
  const t = useTranslations('common.time');
  return (milliseconds) => {
    const span = spanOf(milliseconds);
    if (span.unit === 'hours') return t('spanHoursOnly', { hours: span.hours });
    return span.unit === 'days' ? t('spanDaysOnly', { days: span.days }) : told(t, span);
  };
}
