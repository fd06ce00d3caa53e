'use client';

import { Eye } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { type PersonRef } from '@/lib/domain/person-ref';
import { visibleText } from '@/lib/domain/visible-text';

/** Milliseconds between two looks; the server counts one for three times as long. */
const EVERY = 15_000;

/**
 * Who else has this exception on the screen, told while the tab is in sight. A courtesy: when it cannot be read nothing is shown,
 * and nothing waits for it.
 */
export function Presence({ exceptionId }: { exceptionId: string }) {
  const t = useTranslations('exception.together');
  const [others, setOthers] = useState<readonly PersonRef[]>([]);
  useEffect(() => {
    const address = `/exceptions/${exceptionId}/presence`;
    let isLeft = false;
    const look = async () => {
      if (document.visibilityState !== 'visible') return;
      try {
        const answer = await fetch(address, { method: 'POST', cache: 'no-store' });
        const found = answer.ok ? ((await answer.json()) as PersonRef[]) : [];
        if (!isLeft) setOthers(found);
      } catch {
        if (!isLeft) setOthers([]);
      }
    };
    // The tab may be gone before an answer comes.
    const leave = () =>
      void fetch(`${address}?leaves`, { method: 'POST', keepalive: true }).catch(() => undefined);
    const turn = () => (document.visibilityState === 'visible' ? void look() : leave());
    void look();
    const timer = setInterval(() => void look(), EVERY);
    document.addEventListener('visibilitychange', turn);
    window.addEventListener('pagehide', leave);
    return () => {
      isLeft = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', turn);
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [exceptionId]);
  const names = others.map(({ displayName }) => visibleText(displayName)).join(', ');
  return (
    <p
      role="status"
      data-screen-only
      className="flex items-center gap-1.5 text-sm text-progress empty:hidden"
    >
      {others.length > 0 && (
        <>
          <Eye aria-hidden className="size-4 shrink-0" />
          {t('looking', { count: others.length, names })}
        </>
      )}
    </p>
  );
}
