'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { Notice } from '../ui/notice';
import { SIGN_IN_CHANNEL } from './sign-in-channel';

/** The end of the provider's window: tells the page that asked for it, and goes away where the browser lets it. */
export function SignedInAgain({ mark }: { mark: string }) {
  const t = useTranslations('login.again');
  useEffect(() => {
    const channel = new BroadcastChannel(SIGN_IN_CHANNEL);
    channel.postMessage(mark);
    channel.close();
    window.close();
  }, [mark]);
  return (
    <Notice tone="confirmed" role="status">
      {t('done')}
    </Notice>
  );
}
