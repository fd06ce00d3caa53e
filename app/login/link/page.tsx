import { type Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Entrance } from '@/components/access/entrance';
import { LinkSignIn } from '@/components/access/link-sign-in';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('login'))('link.title') };
}

export default async function LoginLinkPage() {
  const t = await getTranslations('login.link');
  return (
    <Entrance>
      <h1 className="text-xl font-semibold tracking-[-0.012em]">{t('title')}</h1>
      <p className="mt-0.5 mb-6 text-sm text-ink-muted">{t('lead')}</p>
      <LinkSignIn />
    </Entrance>
  );
}
