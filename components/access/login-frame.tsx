import { type ReactNode } from 'react';
import { useTranslations } from 'next-intl';
import { BrandMark } from '../shell/brand-mark';
import { LanguageChoice } from '../shell/language-choice';

interface LoginFrameProps {
  title: string;
  lead: string;
  children: ReactNode;
}

/** The page around every way in: the product's name, one task, the language. */
export function LoginFrame({ title, lead, children }: LoginFrameProps) {
  const t = useTranslations('common');
  return (
    <main
      id="content"
      className="mx-auto flex min-h-dvh w-full max-w-[26rem] flex-col gap-6 px-5 pt-[9vh] pb-10"
    >
      <div className="flex items-center justify-between gap-3">
        <span className="inline-flex items-center gap-2 font-semibold">
          <BrandMark />
          {t('product')}
        </span>
        <LanguageChoice />
      </div>
      <div>
        <h1 className="text-xl font-semibold tracking-[-0.012em]">{title}</h1>
        <p className="mt-0.5 text-sm text-ink-muted">{lead}</p>
      </div>
      {children}
    </main>
  );
}
