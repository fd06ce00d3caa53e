'use client';

import { useTranslations } from 'next-intl';
import { signIn } from 'next-auth/react';
import { useState } from 'react';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';

type Problem = 'missing' | 'refused';

/**
 * Uses a one-time link. The token is what stands behind `#`: the server sees it only when the button is pressed, so that a
 * mail scanner which opens the address does not use it up.
 * @param next where to go then
 */
export function LinkForm({ next }: { next: string }) {
  const t = useTranslations('login.link');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [pending, setPending] = useState(false);

  const use = async () => {
    const token = window.location.hash.slice(1);
    if (token === '') {
      setProblem('missing');
      return;
    }
    setPending(true);
    const answer = await signIn('link', { token, redirect: false }).catch(() => undefined);
    if (answer?.ok === true && answer.error === null) {
      window.location.replace(next);
      return;
    }
    setPending(false);
    setProblem('refused');
  };

  return (
    <div className="flex flex-col gap-4">
      {problem !== null && (
        <Notice tone="danger" role="alert">
          {t(problem)}
        </Notice>
      )}
      <Button look="primary" size="lg" pending={pending} onClick={() => void use()}>
        {t('submit')}
      </Button>
    </div>
  );
}
