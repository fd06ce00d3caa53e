'use client';

import { createContext, use, useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { rememberPreference, ZONE_COOKIE } from '../shell/preferences';

interface ServerTime {
  /** Milliseconds since 1970 by the server's clock, when this page was rendered. */
  now: number;
  /** The IANA zone that the server rendered with. */
  zone: string;
}

const ServerTimeContext = createContext<ServerTime | null>(null);

// The reader's clock may be minutes off; ages and countdowns follow the server's.
let serverAhead = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((each) => each()), 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Gives the page the server's time and zone, and tells the server the reader's zone for the next page. */
export function ClockProvider({ now, zone, children }: ServerTime & { children: ReactNode }) {
  useEffect(() => {
    serverAhead = now - Date.now();
    listeners.forEach((each) => each());
  }, [now]);
  useEffect(() => {
    const actual = readerZone();
    if (actual !== zone) rememberPreference(ZONE_COOKIE, actual);
  }, [zone]);
  const value = useMemo(() => ({ now, zone }), [now, zone]);
  return <ServerTimeContext value={value}>{children}</ServerTimeContext>;
}

function useServerTime(): ServerTime {
  const time = use(ServerTimeContext);
  if (time === null) throw new Error('bug: a time is shown outside of <ClockProvider>');
  return time;
}

/** The present in milliseconds by the server's clock, in steps of `every` milliseconds; renders again at each step. */
export function useNow(every: number): number {
  const { now } = useServerTime();
  const step = (instant: number) => Math.floor(instant / every) * every;
  return useSyncExternalStore(
    subscribe,
    () => step(Date.now() + serverAhead),
    () => step(now),
  );
}

const never = () => () => undefined;
const readerZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The reader's zone; while the server's HTML is being taken over, the zone of that HTML. */
export function useReaderZone(): string {
  const { zone } = useServerTime();
  return useSyncExternalStore(never, readerZone, () => zone);
}
