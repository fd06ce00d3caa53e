'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { LinkButton } from '../ui/link-button';
import { Notice } from '../ui/notice';
import { useDecisionDesk } from './decision-desk';

/** After the person's own decision has settled the exception, its form is gone: what came of it, and the way on. */
export function SettledByMe() {
  const t = useTranslations('decisions');
  const { lastDone, present } = useDecisionDesk();
  const way = useRef<HTMLAnchorElement>(null);
  const settled = lastDone !== null && present.exceptionState === 'CLOSED';
  useEffect(() => {
    // The pressed button has left the page; without this the keyboard would start at its top again.
    if (settled && document.activeElement === document.body) way.current?.focus();
  }, [settled]);
  return (
    <div role="status" className="empty:hidden">
      {settled && (
        <Notice
          tone="confirmed"
          title={t(`decision.${lastDone}.title`)}
          action={
            <LinkButton ref={way} href="/queue" size="sm" className="shrink-0">
              {t('notice.backToQueue')}
            </LinkButton>
          }
        >
          {t('notice.done')}
        </Notice>
      )}
    </div>
  );
}
