import { type Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ChoosePasswordForm } from '@/components/access/choose-password-form';
import { LoginFrame } from '@/components/access/login-frame';
import { LinkButton } from '@/components/ui/link-button';
import { requireActor } from '@/lib/access/actor';
import { waysIn } from '@/lib/access/ways-in';
import { PASSWORD_MIN } from '@/lib/domain/password-rules';
import { DEFAULT_PATH } from '@/lib/domain/return-path';
import { choosePasswordAction } from './actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('login.choose'))('title') };
}

export default async function PasswordPage() {
  const actor = await requireActor();
  const t = await getTranslations('login.choose');
  const { password, byProvider } = await waysIn(actor);
  if (byProvider) {
    return (
      <LoginFrame title={t('title')} lead={t('refusal.PROVIDER_SIGNS_IN')}>
        <LinkButton href={DEFAULT_PATH}>{t('go')}</LinkButton>
      </LoginFrame>
    );
  }
  return (
    <LoginFrame title={t('title')} lead={t('lead', { email: actor.email, count: PASSWORD_MIN })}>
      <ChoosePasswordForm asksPresent={password} action={choosePasswordAction} next={DEFAULT_PATH} />
    </LoginFrame>
  );
}
