'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useState, useTransition } from 'react';
import { canReadAnew } from './can-read-anew';
import { isLeaving } from './leaving';

/** Milliseconds between questions after an act, whose outcome must come onto the page. */
const ASK_AGAIN = 1_500;
/** Milliseconds after which nobody waits any more for a page that is being read. */
const SHOWN_WITHIN = 30_000;

/**
 * `readAnew` reads the page anew where the server answers, and resolves to whether it does, once what was read is shown. A page
 * that is being left is not read: the one that comes is newer.
 * `readUntilAnswered` asks until it does or the page is left: after an act nothing else may bring its outcome, as long as
 * somebody is typing.
 */
export function useReadAnew() {
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const [loading, startLoading] = useTransition();
  const asked = useRef<Promise<boolean> | null>(null);
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    if (!loading) for (const go of waiting.current.splice(0)) go();
  }, [loading]);
  const readAnew = useCallback((): Promise<boolean> => {
    if (isLeaving()) return Promise.resolve(true);
    setAsking(true);
    asked.current ??= canReadAnew().then((answers) => {
      asked.current = null;
      setAsking(false);
      if (!answers || isLeaving()) return answers;
      const shown = new Promise<true>((resolve) => {
        const go = () => resolve(true);
        waiting.current.push(go);
        setTimeout(go, SHOWN_WITHIN);
      });
      startLoading(() => router.refresh());
      return shown;
    });
    return asked.current;
  }, [router]);

  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);
  const readUntilAnswered = useCallback(async () => {
    while (!(await readAnew()) && !left.current) {
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN));
    }
  }, [readAnew]);
  return { readAnew, readUntilAnswered, reading: asking || loading };
}
