'use client';

import { useTranslations } from 'next-intl';
import { LinkButton } from '../ui/link-button';
import { Notice } from '../ui/notice';
import { useOwnAccount } from './own-account';
import { StepUpByPassword } from './step-up-by-password';
import { StepUpByProvider } from './step-up-by-provider';

/** Asks somebody to show again who they are, in the way they sign in, and then goes on with the act. */
export function StepUp({ onShown }: { onShown: () => void }) {
  const t = useTranslations('admin.stepUp');
  const { password, provider, byProvider } = useOwnAccount().ways;
  if (byProvider && provider !== null) return <StepUpByProvider provider={provider} onShown={onShown} />;
  if (password) return <StepUpByPassword onShown={onShown} />;
  // Came by a one-time link and has chosen no password yet.
  return (
    <Notice
      tone="caution"
      action={
        <LinkButton size="sm" href="/login/password">
          {t('choose')}
        </LinkButton>
      }
    >
      {t('noPassword')}
    </Notice>
  );
}
