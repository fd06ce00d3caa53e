'use client';

import { useEffect, useRef } from 'react';

/** Milliseconds between questions of a page that is seen: what somebody else does shows within a second. */
const ASK_EVERY = 500;
/** A server that needs long to answer is left alone for this many times as long: many pages must not make it slower still. */
const REST_FACTOR = 4;
/** Milliseconds until a silent server counts as not answering. */
const ANSWER_WITHIN = 4_000;
/** Milliseconds between two readings of the page, however much happens. */
const READ_AT_MOST_EVERY = 1_000;

interface Changes {
  mark: string;
  changed: boolean;
}

/**
 * Asks whether what the page shows has changed since the mark that it was read by. Short questions and no open stream: a browser
 * has six connections to a server, a restart breaks none of them, and the mark says everything since, however long nobody asked.
 * @param read resolves to whether the page could be read anew
 */
export function useChanges(
  source: { address: string; mark: string } | undefined,
  read: () => Promise<boolean>,
  mayRead: () => boolean,
  setStale: (stale: boolean) => void,
): void {
  const latest = useRef({ read, mayRead, setStale });
  useEffect(() => {
    latest.current = { read, mayRead, setStale };
  });
  const address = source?.address;
  const first = useRef(source?.mark ?? '');
  useEffect(() => {
    if (address === undefined) return;
    let mark = first.current;
    let waiting = false;
    let left = false;
    let lastRead = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      if (document.visibilityState !== 'visible') return;
      const answer = await changesAt(`${address}?since=${encodeURIComponent(mark)}`);
      if (left) return;
      latest.current.setStale(answer === null);
      if (answer === null) return;
      mark = answer.mark;
      waiting ||= answer.changed;
      if (!waiting || !latest.current.mayRead() || performance.now() - lastRead < READ_AT_MOST_EVERY) return;
      waiting = !(await latest.current.read());
      lastRead = performance.now();
    };
    const again = async () => {
      const asked = performance.now();
      await ask();
      const rest = Math.max(ASK_EVERY, REST_FACTOR * (performance.now() - asked));
      if (!left) timer = setTimeout(() => void again(), rest);
    };
    void again();
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [address]);
}

/** Null: no answer, or none that says anything. */
async function changesAt(address: string): Promise<Changes | null> {
  try {
    const answer = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN) });
    return answer.ok ? ((await answer.json()) as Changes) : null;
  } catch {
    return null;
  }
}
