import { type Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { LoginForm } from '@/components/access/login-form';
import { LoginFrame } from '@/components/access/login-frame';
import { currentActor } from '@/lib/access/actor';
import { canonicalOrigin } from '@/lib/access/configuration';
import { providerName } from '@/lib/access/ways-in';
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
    <LoginFrame title={t('title')} lead={t('lead')}>
      <LoginForm
        returnTo={returnTo}
        problem={single(error) ?? single(reason)}
        provider={providerName()}
        demo={process.env['DEMO'] === 'on'}
      />
    </LoginFrame>
  );
}
