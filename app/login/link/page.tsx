import { type Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { LinkForm } from '@/components/access/link-form';
import { LoginFrame } from '@/components/access/login-frame';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('login.link'))('title') };
}

export default async function LoginLinkPage() {
  const t = await getTranslations('login.link');
  return (
    <LoginFrame title={t('title')} lead={t('lead')}>
      <LinkForm next="/login/password" />
    </LoginFrame>
  );
}
