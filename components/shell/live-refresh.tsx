'use client';

import { CloudOff, RefreshCw } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Instant, useAgo } from '../time/instant';
import { buttonLook } from '../ui/button-look';
import { classNames } from '../ui/class-names';
import { useReadAnew } from './read-anew';
import { useChanges } from './use-changes';

/** Milliseconds between looks; a triage desk is read, not watched. */
const EVERY = 15_000;
/** Milliseconds without a key after which a list's search field, still focused, holds nothing back. */
const TYPING_PAUSE = 5_000;

const TYPED_INTO = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]';
const OPEN_SURFACE = '[role=dialog][data-state=open], [role=menu][data-state=open]';

/** True while new data would pull something from under the reader's hands. */
function isBusy(lastTyped: number): boolean {
  if (document.querySelector(OPEN_SURFACE) !== null) return true;
  const focused = document.activeElement;
  if (focused?.matches('input[type=search]') === true) return performance.now() - lastTyped < TYPING_PAUSE;
  return focused?.matches(TYPED_INTO) === true;
}

interface LiveRefreshProps {
  renderedAt: string;
  /** Where to ask for changes, and since when: then the page is read anew when there is something new. */
  changes?: { address: string; mark: string };
}

/**
 * How fresh this page is, and a way to read it anew. Reads by itself while the tab is seen and nothing is being typed
 * or decided; focus and scroll stay. When the server is silent it says since when what is shown may be out of date.
 */
export function LiveRefresh({ renderedAt, changes }: LiveRefreshProps) {
  const t = useTranslations('common.live');
  const { readAnew, reading } = useReadAnew();
  const [stale, setStale] = useState(false);
  const lastTyped = useRef(0);
  const ago = useAgo(renderedAt);

  const refresh = useCallback(async () => {
    setStale(!(await readAnew()));
  }, [readAnew]);

  useChanges(changes, readAnew, () => !isBusy(lastTyped.current), setStale);

  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible' && !isBusy(lastTyped.current)) void refresh();
    };
    const noteTyping = () => {
      lastTyped.current = performance.now();
    };
    const timer = setInterval(look, EVERY);
    document.addEventListener('visibilitychange', look);
    document.addEventListener('input', noteTyping);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      document.removeEventListener('input', noteTyping);
    };
  }, [refresh]);

  return (
    <div data-screen-only role="group" aria-label={t('label')} className="flex items-center gap-1 text-xs">
      <span role="status">
        {stale && (
          <span className="inline-flex items-center gap-1.5 font-medium text-danger">
            <CloudOff aria-hidden className="size-3.5" />
            {t.rich('stale', { time: () => <Instant at={renderedAt} look="full" /> })}
          </span>
        )}
      </span>
      {!stale && <span className="tabular text-ink-faint">{t('updated', { ago })}</span>}
      <button
        type="button"
        aria-label={t('refresh')}
        title={t('refresh')}
        onClick={() => void refresh()}
        className={buttonLook({ look: 'ghost', size: 'icon' })}
      >
        <RefreshCw aria-hidden className={classNames(reading && 'animate-turn')} />
      </button>
    </div>
  );
}
