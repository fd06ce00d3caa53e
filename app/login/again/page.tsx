import { type Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { LoginFrame } from '@/components/access/login-frame';
import { SignInProblem } from '@/components/access/sign-in-problem';
import { SignedInAgain } from '@/components/access/signed-in-again';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('login.again'))('title') };
}

const single = (value: string | string[] | undefined) => (typeof value === 'string' ? value : null);

/** Where the provider's window ends when somebody is signed in already. */
export default async function AgainPage({ searchParams }: PageProps<'/login/again'>) {
  const { done, problem } = await searchParams;
  const code = single(problem);
  const t = await getTranslations('login.again');
  return (
    <LoginFrame title={t('title')} lead={t('lead')}>
      {code === null ? <SignedInAgain mark={single(done) ?? ''} /> : <SignInProblem code={code} />}
    </LoginFrame>
  );
}
