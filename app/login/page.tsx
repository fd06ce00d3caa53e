import { type Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { Entrance } from '@/components/access/entrance';
import { loginNotice } from '@/components/access/login-error';
import { LoginForm } from '@/components/access/login-form';
import { currentActor } from '@/lib/access/actor';
import { canonicalOrigin } from '@/lib/access/configuration';
import { returnPath } from '@/lib/domain/return-path';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('login'))('title') };
}

const single = (value: string | string[] | undefined) => (typeof value === 'string' ? value : null);

export default async function LoginPage({ searchParams }: PageProps<'/login'>) {
  const { callbackUrl, error, reason } = await searchParams;
  const returnTo = returnPath(single(callbackUrl), canonicalOrigin());
  if ((await currentActor()) !== null) redirect(returnTo);
  const t = await getTranslations('login');
  return (
    <Entrance>
      <h1 className="text-xl font-semibold tracking-[-0.012em]">{t('title')}</h1>
      <p className="mt-0.5 mb-6 text-sm text-ink-muted">{t('lead')}</p>
      <LoginForm
        returnTo={returnTo}
        notice={loginNotice(single(error) ?? single(reason))}
        demo={process.env['DEMO'] === 'on'}
      />
    </Entrance>
  );
}
