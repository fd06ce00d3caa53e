'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { clockFace } from '@/lib/domain/spans';
import { useReadAnew } from '../shell/read-anew';
import { useNow } from './clock';

interface CountdownProps {
  /** RFC 3339, UTC: what is waited for, by the server's clock. */
  until: string;
  /** Words once it is over; "Now" without. */
  over?: string;
  /** `4:09 left`: where nothing around it says that this is no time of day. */
  named?: boolean;
  /** Reads the page anew once, when it is over: what was locked may be open now. */
  refreshWhenOver?: boolean;
  className?: string;
}

/** `4:09` counting down to an instant. A courtesy: the server decides by its own clock. */
export function Countdown({
  until,
  over,
  named = false,
  refreshWhenOver = false,
  className,
}: CountdownProps) {
  const t = useTranslations('common.time');
  const { readAnew } = useReadAnew();
  const left = new Date(until).getTime() - useNow(1_000);
  const isOver = left <= 0;
  const wasLeft = useRef(false);
  useEffect(() => {
    if (!isOver) wasLeft.current = true;
    else if (wasLeft.current && refreshWhenOver) {
      wasLeft.current = false;
      void readAnew();
    }
  }, [isOver, refreshWhenOver, readAnew]);
  return (
    <time role="timer" dateTime={until} className={`tabular font-mono ${className ?? ''}`}>
      {isOver ? (over ?? t('over')) : named ? t('remaining', { span: clockFace(left) }) : clockFace(left)}
    </time>
  );
}
