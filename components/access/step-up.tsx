'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { LinkButton } from '../ui/link-button';
import { Notice } from '../ui/notice';
import { useOwnAccount } from './own-account';
import { StepUpByPassword } from './step-up-by-password';
import { StepUpByProvider } from './step-up-by-provider';

/** Asks somebody to show again who they are, in the way they sign in, and then goes on with the act. */
export function StepUp({ onShown }: { onShown: () => void }) {
  const t = useTranslations('admin.stepUp');
  const { password, provider, byProvider } = useOwnAccount().ways;
  const [choosing, setChoosing] = useState(false);
  if (byProvider && provider !== null) return <StepUpByProvider provider={provider} onShown={onShown} />;
  if (password || choosing) return <StepUpByPassword onShown={onShown} />;
  // Came by a one-time link and has chosen no password yet: a window beside this page, which keeps what was typed.
  return (
    <Notice
      tone="caution"
      action={
        <LinkButton size="sm" href="/login/password" target="_blank" onClick={() => setChoosing(true)}>
          {t('choose')}
        </LinkButton>
      }
    >
      {t('noPassword')}
    </Notice>
  );
}
