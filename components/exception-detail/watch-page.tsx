'use client';

import { useEffect } from 'react';
import { useReadAnew } from '../shell/read-anew';

/** Milliseconds after one look before the next, while an answer is about to arrive. */
const PAUSE = 3_000;

/**
 * Reads the page anew while something is on its way: an automatic look, or an approved request being carried out. Rests
 * while the tab is hidden or somebody is typing; one look at a time, so that a slow server is not asked faster.
 */
export function WatchPage({ active }: { active: boolean }) {
  const { readAnew, reading } = useReadAnew();
  useEffect(() => {
    if (!active || reading) return;
    const timer = setInterval(() => {
      const typing = document.activeElement?.matches('input, textarea, select') === true;
      const dialog = document.querySelector('[role=dialog][data-state=open]') !== null;
      if (document.visibilityState === 'visible' && !typing && !dialog) void readAnew();
    }, PAUSE);
    return () => clearInterval(timer);
  }, [active, reading, readAnew]);
  return null;
}
