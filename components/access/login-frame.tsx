import { CircleHelp, KeyRound, Stamp } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { BrandMark } from '../shell/brand-mark';
import { LanguageChoice } from '../shell/language-choice';

const STEPS = [
  { icon: KeyRound, name: 'claim' },
  { icon: CircleHelp, name: 'doubt' },
  { icon: Stamp, name: 'settle' },
] as const;

interface LoginFrameProps {
  title: string;
  lead: string;
  children: ReactNode;
}

/** The page around every way in: one task on the left, what the product is for on the right. */
export function LoginFrame({ title, lead, children }: LoginFrameProps) {
  const t = useTranslations();
  return (
    <div className="grid min-h-dvh bg-surface lg:grid-cols-[minmax(26rem,1fr)_minmax(0,1.15fr)]">
      <div className="flex flex-col px-6 py-6 sm:px-10">
        <header className="flex items-center gap-2 text-base font-semibold tracking-[-0.012em]">
          <BrandMark />
          {t('common.product')}
          <span className="ml-auto w-36">
            <LanguageChoice />
          </span>
        </header>
        <main id="content" className="mx-auto my-auto w-full max-w-[22rem] py-10">
          <h1 className="text-xl font-semibold tracking-[-0.012em]">{title}</h1>
          <p className="mt-0.5 mb-6 text-sm text-ink-muted">{lead}</p>
          {children}
        </main>
        <footer className="text-center text-sm">
          <Link href="/docs" prefetch={false} className="text-accent underline underline-offset-2">
            {t('docs.title')}
          </Link>
        </footer>
      </div>
      <aside className="hidden flex-col justify-center border-l border-line bg-canvas px-16 lg:flex">
        <p className="max-w-[24rem] text-2xl font-semibold tracking-[-0.02em] text-balance">
          {t('login.promise.title')}
        </p>
        <p className="mt-2 max-w-[26rem] text-base text-ink-muted">{t('common.tagline')}</p>
        <ol className="mt-10 flex max-w-[26rem] flex-col">
          {STEPS.map(({ icon: Icon, name }, index) => (
            <li key={name} className="relative flex gap-4 pb-7 last:pb-0">
              {index < STEPS.length - 1 && (
                <span aria-hidden className="absolute top-9 bottom-1 left-[1.0625rem] w-px bg-line-strong" />
              )}
              <span className="flex size-[2.125rem] shrink-0 items-center justify-center rounded-full bg-raised text-accent shadow-sm ring-1 ring-line ring-inset">
                <Icon aria-hidden className="size-4" />
              </span>
              <p className="pt-1.5 text-base">{t(`login.promise.${name}`)}</p>
            </li>
          ))}
        </ol>
      </aside>
    </div>
  );
}
