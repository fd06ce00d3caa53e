'use client';

import { signIn } from 'next-auth/react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../ui/button';
import { LinkButton } from '../ui/link-button';
import { Notice } from '../ui/notice';
import { useHydrated } from '../ui/use-hydrated';

/**
 * Signs in by the one-time token behind the address's `#`, which never reaches a server by itself. On a press, not on
 * opening: whoever previews the link would use it up.
 */
export function LinkSignIn() {
  const t = useTranslations('login.link');
  const hydrated = useHydrated();
  const [state, setState] = useState<'ready' | 'pending' | 'refused'>('ready');
  const use = async () => {
    const token = window.location.hash.slice(1);
    setState('pending');
    const answer =
      token === '' ? undefined : await signIn('link', { token, redirect: false }).catch(() => undefined);
    if (answer?.ok === true && answer.error == null) return window.location.replace('/queue');
    window.history.replaceState(null, '', window.location.pathname);
    setState('refused');
  };
  if (state === 'refused') {
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="danger" role="alert">
          {t('refused')}
        </Notice>
        <LinkButton href="/login" size="lg">
          {t('other')}
        </LinkButton>
      </div>
    );
  }
  return (
    <fieldset disabled={!hydrated} className="contents">
      <Button
        look="primary"
        size="lg"
        className="w-full"
        pending={state === 'pending'}
        onClick={() => void use()}
      >
        {t('submit')}
      </Button>
    </fieldset>
  );
}
