'use client';

import { Compass } from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { afterStop, isOnPage, stopAt, TOUR_STOPS, type TourState, type TourStop } from '@/lib/domain/tour';
import { Button } from '../ui/button';
import { useTour } from './tour-provider';

/** What each stop is about, on its page. */
const ANCHOR: Readonly<Record<TourStop, string>> = {
  QUEUE: 'main table',
  EXCEPTION: 'section[aria-labelledby=happened]',
  EVIDENCE: '#evidence',
  DECISION: 'section[aria-labelledby=decide]',
  AUDIT: 'main table',
};
/** What app/globals.css draws a line around. */
const MARK = 'data-tour-stop';
const FIRST_EXCEPTION = 'main a[href^="/exceptions/"]';

/**
 * One stop of the tour, in the flow of the page: it covers nothing and takes no focus; what it says is read out politely.
 * Its stop is marked on the page, and focus goes there when the person asks for it.
 */
export function TourStrip() {
  const t = useTranslations('help.tour');
  const { tour, begun, move } = useTour();
  const strip = useRef<HTMLElement>(null);
  useEffect(() => {
    if (begun) strip.current?.focus();
  }, [begun]);
  const stop = stopAt(tour.place);
  const { here, goThere, showIt } = useStop(stop);
  // The pressed button goes away with the strip; what has the focus must be somewhere.
  const end = (to: TourState) => {
    move(to);
    document.getElementById('content')?.focus();
  };
  const last = tour.place >= TOUR_STOPS.length - 1;
  return (
    <section
      ref={strip}
      tabIndex={-1}
      data-screen-only
      aria-label={t('title')}
      className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line bg-accent-soft px-4 py-2.5 md:px-6"
    >
      <Compass aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <div role="status" className="min-w-0 flex-1 basis-60">
        <p className="text-sm font-semibold">
          {t(`stop.${stop}.title`)}{' '}
          <span className="tabular text-xs font-normal text-ink-muted">
            {t('place', { place: tour.place + 1, of: TOUR_STOPS.length })}
          </span>
        </p>
        <p className="max-w-prose text-sm text-pretty">{t(`stop.${stop}.body`)}</p>
        {!here && <p className="text-sm text-ink-muted">{t(`elsewhere.${stop}`)}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        <Button look="ghost" size="sm" onClick={here ? showIt : goThere}>
          {t(here ? 'show' : 'goThere')}
        </Button>
        {tour.place > 0 && (
          <Button look="ghost" size="sm" onClick={() => move({ state: 'RUNNING', place: tour.place - 1 })}>
            {t('back')}
          </Button>
        )}
        <Button size="sm" onClick={() => (last ? end(afterStop(tour.place)) : move(afterStop(tour.place)))}>
          {t(last ? 'done' : 'next')}
        </Button>
        <Button look="ghost" size="sm" onClick={() => end({ state: 'LEFT', place: tour.place })}>
          {t('leave')}
        </Button>
      </div>
    </section>
  );
}

/** Whether the stop is on this page, and the ways to it. */
function useStop(stop: TourStop) {
  const pathname = usePathname();
  const router = useRouter();
  const here = isOnPage(stop, pathname);
  const exception = useRef<string | null>(null);
  useEffect(() => {
    if (isOnPage('EXCEPTION', pathname)) exception.current = pathname;
  }, [pathname]);
  useEffect(() => {
    if (!here) return;
    let marked: Element | null = null;
    // A page's parts come later than its address, and anew with each reading.
    const mark = () => {
      const anchor = document.querySelector(ANCHOR[stop]);
      if (anchor === marked) return;
      marked?.removeAttribute(MARK);
      anchor?.setAttribute(MARK, '');
      marked = anchor;
    };
    mark();
    const watch = new MutationObserver(mark);
    watch.observe(document.body, { childList: true, subtree: true });
    return () => {
      watch.disconnect();
      marked?.removeAttribute(MARK);
    };
  }, [here, stop]);
  const goThere = () => {
    if (stop === 'QUEUE' || stop === 'AUDIT') return router.push(stop === 'QUEUE' ? '/queue' : '/audit');
    const first = document.querySelector(FIRST_EXCEPTION)?.getAttribute('href');
    return router.push(exception.current ?? first ?? '/queue');
  };
  const showIt = () => {
    const anchor = document.querySelector<HTMLElement>(ANCHOR[stop]);
    if (anchor === null) return;
    if (!anchor.matches('a, button, input, [tabindex]')) anchor.tabIndex = -1;
    anchor.focus();
  };
  return { here, goThere, showIt };
}
