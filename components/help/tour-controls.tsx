'use client';

import { Compass } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { Button } from '../ui/button';
import { useTour } from './tour-provider';

// Loaded by whoever takes the tour: nobody else pays for it.
const TourStrip = dynamic(() => import('./tour-strip').then((part) => part.TourStrip), { ssr: false });

/** Where the tour shows, while it runs. */
export function TourPlace() {
  const { tour } = useTour();
  return tour.state === 'RUNNING' ? <TourStrip /> : null;
}

/** The offer beside the words that everything here is invented. */
export function TourOffer() {
  const t = useTranslations('help.tour');
  const { offered, start, move } = useTour();
  if (!offered) return null;
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1">
      <Button look="ghost" size="sm" onClick={start}>
        <Compass aria-hidden />
        {t('offer')}
      </Button>
      <Button
        look="ghost"
        size="sm"
        onClick={() => {
          move({ state: 'LEFT', place: 0 });
          document.getElementById('content')?.focus();
        }}
      >
        {t('decline')}
      </Button>
    </span>
  );
}

/** Starts it, or goes on where it was left. */
export function TourMenuItem() {
  const t = useTranslations('help.tour');
  const { tour, start } = useTour();
  return (
    <Button look="ghost" className="w-full justify-start" onClick={start}>
      <Compass aria-hidden />
      {t(tour.state === 'LEFT' && tour.place > 0 ? 'resume' : 'start')}
    </Button>
  );
}
