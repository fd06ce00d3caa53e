'use client';

import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { isOtherPage, leavesByLink } from '@/lib/domain/leaving';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';

/** Where somebody was about to go: an address, or an entry of the history. */
type Way = { readonly href: string } | { readonly entry: string };

/**
 * Asks before typed text is lost: by links, by back and forward, and by closing, where the browser asks in its own words.
 * Whoever has sent the form goes on by `router.push`, which asks nothing.
 */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const router = useRouter();
  const [way, setWay] = useState<Way | null>(null);
  const passing = useRef(false);
  useEffect(() => {
    if (!dirty) return;
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!passing.current) event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (event.defaultPrevented || link === null || !leavesByLink(event, link, window.location.href)) return;
      // Before any handler of the page: a link of the router goes nowhere once this is prevented.
      event.preventDefault();
      event.stopPropagation();
      setWay({ href: link.href });
    };
    const onNavigate = (event: NavigateEvent) => {
      const { navigationType, cancelable, destination } = event;
      if (passing.current || navigationType !== 'traverse' || !cancelable) return;
      if (!isOtherPage(destination.url, window.location.href)) return;
      event.preventDefault();
      setWay({ entry: destination.key });
    };
    // Browsers without it lose the question about back and forward alone.
    const history = 'navigation' in window ? window.navigation : null;
    window.addEventListener('beforeunload', onUnload);
    document.addEventListener('click', onClick, true);
    history?.addEventListener('navigate', onNavigate);
    return () => {
      window.removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, true);
      history?.removeEventListener('navigate', onNavigate);
    };
  }, [dirty]);

  const leave = () => {
    setWay(null);
    if (way === null) return;
    passing.current = true;
    if ('entry' in way) window.navigation.traverseTo(way.entry);
    else if (new URL(way.href).origin === window.location.origin) router.push(way.href);
    else window.location.assign(way.href);
  };
  return <LeaveQuestion open={way !== null} onStay={() => setWay(null)} onLeave={leave} />;
}

interface LeaveQuestionProps {
  open: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** Stay, which changes nothing, or leave without what was typed. */
export function LeaveQuestion({ open, onStay, onLeave }: LeaveQuestionProps) {
  const t = useTranslations('common.leave');
  const stay = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onStay();
      }}
      title={t('title')}
      description={t('lead')}
      firstFocus={stay}
      footer={
        <>
          <Button look="warn" onClick={onLeave}>
            {t('leave')}
          </Button>
          <Button ref={stay} look="primary" onClick={onStay}>
            {t('stay')}
          </Button>
        </>
      }
    />
  );
}
