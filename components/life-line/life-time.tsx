'use client';

import { useTranslations } from 'next-intl';
import { isoLike } from '../time/instant';
import { useReaderZone } from '../time/clock';

interface MarkTitleProps {
  words: string;
  at: string;
  until: string;
  open: boolean;
}

/** What a mark says under the pointer. The list beside the drawing says the same to everybody. */
export function MarkTitle({ words, at, until, open }: MarkTitleProps) {
  const t = useTranslations('life');
  const zone = useReaderZone();
  const from = isoLike(at, zone);
  const when =
    at === until ? from : open ? t('since', { from }) : t('span', { from, to: isoLike(until, zone) });
  return <title>{`${words} · ${when}`}</title>;
}

interface TickProps {
  at: string;
  /** The tick before; the day is told where it changes. */
  before: string | null;
}

/** Day and time of one place on the axis, in the reader's zone. */
export function Tick({ at, before }: TickProps) {
  const zone = useReaderZone();
  const told = isoLike(at, zone);
  const sameDay = before !== null && isoLike(before, zone).slice(0, 10) === told.slice(0, 10);
  return (
    <>
      <text y={11} className="fill-ink-faint text-2xs">
        {sameDay ? '' : told.slice(5, 10)}
      </text>
      <text y={23} className="fill-ink-muted text-2xs tabular">
        {told.slice(11)}
      </text>
    </>
  );
}
