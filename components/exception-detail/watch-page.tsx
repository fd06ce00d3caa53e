'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Milliseconds between looks while an answer is about to arrive. */
const EVERY = 3_000;

/**
 * Reads the page anew while something is on its way: an automatic look, or an approved request being carried out. Rests
 * while the tab is hidden or somebody is typing; what is typed stays in any case.
 */
export function WatchPage({ active }: { active: boolean }) {
  const router = useRouter();
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      const typing = document.activeElement?.matches('input, textarea, select') === true;
      const dialog = document.querySelector('[role=dialog][data-state=open]') !== null;
      if (document.visibilityState === 'visible' && !typing && !dialog) router.refresh();
    }, EVERY);
    return () => clearInterval(timer);
  }, [active, router]);
  return null;
}
