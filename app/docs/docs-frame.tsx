import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { BrandMark } from '@/components/shell/brand-mark';
import { LanguageChoice } from '@/components/shell/language-choice';
import { type Theme } from '@/components/shell/preferences';
import { SkipLink } from '@/components/shell/skip-link';
import { ThemeChoice } from '@/components/shell/theme-choice';
import { LinkButton } from '@/components/ui/link-button';

/** The page around the reference; open to everybody, so it knows no person. */
export function DocsFrame({
  theme,
  contents,
  children,
}: {
  theme: Theme;
  contents: ReactNode;
  children: ReactNode;
}) {
  const t = useTranslations();
  return (
    <div className="min-h-dvh bg-surface">
      <SkipLink />
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 md:px-6">
        <span className="flex items-center gap-2 text-base font-semibold tracking-[-0.012em]">
          <BrandMark />
          {t('common.product')}
        </span>
        <span className="ml-auto md:order-last md:ml-0">
          <LinkButton href="/queue" prefetch={false}>
            {t('docs.desk')}
          </LinkButton>
        </span>
        <div className="flex items-center gap-2 max-md:w-full md:ml-auto">
          <span className="w-28 shrink-0">
            <ThemeChoice theme={theme} />
          </span>
          <span className="w-36 max-md:flex-1">
            <LanguageChoice />
          </span>
        </div>
      </header>
      <details className="border-b border-line px-2 text-sm lg:hidden">
        <summary className="cursor-pointer px-2 py-3 font-semibold">{t('docs.calls')}</summary>
        <nav aria-label={t('docs.calls')} className="pb-3">
          {contents}
        </nav>
      </details>
      <div className="mx-auto flex max-w-[82rem] lg:gap-8 lg:px-6">
        <nav
          aria-label={t('docs.calls')}
          tabIndex={0}
          className="sticky top-0 hidden max-h-dvh w-60 shrink-0 self-start overflow-y-auto py-6 text-sm lg:block"
        >
          {contents}
        </nav>
        <main id="content" className="min-w-0 flex-1 px-4 py-6 md:px-6">
          {children}
        </main>
      </div>
    </div>
  );
}
