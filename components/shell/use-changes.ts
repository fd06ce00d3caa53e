'use client';

import { useEffect, useRef } from 'react';

/** Milliseconds between questions of a page that is seen: what somebody else does shows within a second. */
const ASK_EVERY = 500;
/**
 * A server that needs long to answer a question, or for a page, is left alone for this many times as long: many readers must not
 * make it slower still. A page costs more, and is what somebody waits for.
 */
const REST_FACTOR = { question: 4, page: 1 } as const;
/** Milliseconds until a silent server counts as not answering. */
const ANSWER_WITHIN = 4_000;

interface Changes {
  mark: string;
  changed: boolean;
}

/**
 * Asks whether what the page shows has changed since the mark that it was read by. Short questions and no open stream: a browser
 * has six connections to a server, a restart breaks none of them, and the mark says everything since, however long nobody asked.
 * @param read resolves to whether the page could be read anew, once it is shown
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
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const answer = await changesAt(`${address}?since=${encodeURIComponent(mark)}`);
      if (left) return false;
      latest.current.setStale(answer === null);
      if (answer === null) return false;
      mark = answer.mark;
      waiting ||= answer.changed;
      return true;
    };
    const again = async () => {
      const begun = performance.now();
      const seen = document.visibilityState === 'visible';
      const answers = seen && (await ask());
      const answered = performance.now();
      if (answers && waiting && latest.current.mayRead()) waiting = !(await latest.current.read());
      const rest = Math.max(
        ASK_EVERY,
        REST_FACTOR.question * (answered - begun),
        REST_FACTOR.page * (performance.now() - answered),
      );
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
