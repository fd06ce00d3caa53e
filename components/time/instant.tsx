'use client';

import { useLocale, useTranslations } from 'next-intl';
import { DAY, HOUR, MINUTE } from '@/lib/domain/spans';
import { useNow, useReaderZone } from './clock';

interface InstantProps {
  /** RFC 3339, UTC. */
  at: string;
  /** `ago`: 5 min ago · `ahead`: in 5 min, or due · `short`: Nov 29, 17:41 · `full`: 2026-11-29 17:41:02 with the zone's offset ·
   * `exact`: the same with every digit of the second that is told. */
  look?: 'ago' | 'ahead' | 'short' | 'full' | 'exact';
  className?: string;
}

/** One instant in the reader's zone; UTC to the second on hover, and in the markup for machines. */
export function Instant({ at, look = 'short', className }: InstantProps) {
  const t = useTranslations('common.time');
  const zone = useReaderZone();
  // What is no instant at all is shown as it is: one broken row takes no page down.
  if (Number.isNaN(Date.parse(at))) return <span className={className}>{at}</span>;
  const utc = t('utc', { instant: isoLike(at, 'UTC') });
  return (
    <time dateTime={at} title={utc} className={className}>
      {look === 'ago' && <Ago at={at} />}
      {look === 'ahead' && <Ahead at={at} />}
      {look === 'short' && <Short at={at} zone={zone} />}
      {(look === 'full' || look === 'exact') && (
        <>
          {/* Where it has to break, it breaks between the day and the time. */}
          {isoLike(at, zone).slice(0, 10)}{' '}
          <span className="whitespace-nowrap">
            {isoLike(at, zone).slice(11)}
            {look === 'exact' && fractionOf(at)}{' '}
            <span className="text-[0.85em] text-ink-faint">{offsetName(at, zone)}</span>
          </span>
        </>
      )}
    </time>
  );
}

function Ago({ at }: { at: string }) {
  return useAgo(at);
}

/** What is still to come is never "just now", nor some time ago when it is late. */
function Ahead({ at }: { at: string }) {
  const t = useTranslations('common.time');
  const ago = useAgo(at);
  const soon = new Date(at).getTime() - useNow(AGO_STEP) < 2 * AGO_STEP;
  return soon ? t('soon') : ago;
}

function Short({ at, zone }: { at: string; zone: string }) {
  const locale = useLocale();
  return new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(at));
}

/** Milliseconds; finer steps would only make lists restless. */
const AGO_STEP = 5_000;

/** "5 min ago", "in 2 h", as text; follows the server's clock. */
export function useAgo(at: string): string {
  const t = useTranslations('common.time');
  const now = useNow(AGO_STEP);
  const passed = now - new Date(at).getTime();
  const length = Math.abs(passed);
  const past = passed >= 0;
  if (length < 2 * AGO_STEP) return t('now');
  if (length < MINUTE) return t(past ? 'seconds' : 'inSeconds', { count: Math.floor(length / 1_000) });
  if (length < HOUR) return t(past ? 'minutes' : 'inMinutes', { count: Math.floor(length / MINUTE) });
  if (length < DAY) return t(past ? 'hours' : 'inHours', { count: Math.floor(length / HOUR) });
  return t(past ? 'days' : 'inDays', { count: Math.floor(length / DAY) });
}

/** `2026-11-29 17:41:02`: the same in every language, so that two people can compare what they see. */
export function isoLike(at: string, zone: string): string {
  const parts = new Map(
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(new Date(at))
      .map((part) => [part.type, part.value]),
  );
  const take = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return `${take('year')}-${take('month')}-${take('day')} ${take('hour')}:${take('minute')}:${take('second')}`;
}

/** `.123456`; nothing where none is told. Zones differ by whole seconds, so it is the same in each. */
const fractionOf = (at: string): string => /\.\d+(?=Z$)/.exec(at)?.[0] ?? '';

function offsetName(at: string, zone: string): string {
  const named = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
    .formatToParts(new Date(at))
    .find((part) => part.type === 'timeZoneName');
  // Every page says UTC in words; one name for it.
  return named?.value.replace(/^GMT(?:[+-]0)?$/, 'UTC') ?? zone;
}
