'use client';

import { useEffect } from 'react';
import { canReadAnew } from './can-read-anew';

/** Milliseconds between questions whether the server answers again. */
const EVERY = 1_500;
/** A page that breaks again this soon after it was read anew is not read a third time by itself. */
const ONCE_WITHIN = 20_000;
const LAST = 'onceover-came-back';

/** Reads a page whose answer broke off half way again, as soon as the server answers. */
export function useComeBack(active: boolean): void {
  useEffect(() => {
    if (!active || Date.now() - Number(sessionStorage.getItem(LAST)) < ONCE_WITHIN) return;
    let over = false;
    const look = async () => {
      if (over || !(await canReadAnew()) || over) return;
      over = true;
      sessionStorage.setItem(LAST, String(Date.now()));
      location.reload();
    };
    const timer = setInterval(() => void look(), EVERY);
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [active]);
}
