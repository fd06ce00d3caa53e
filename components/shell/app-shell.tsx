import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { Bell } from './bell';
import { BrandMark } from './brand-mark';
import { DemoBanner } from './demo-banner';
import { Keys } from './keys';
import { Navigation, type NavCounts } from './navigation';
import { type Theme } from './preferences';
import { SkipLink } from './skip-link';
import { UserMenu, type ShellPerson } from './user-menu';

interface AppShellProps {
  person: ShellPerson;
  counts: NavCounts;
  theme: Theme;
  /** What the reader has not read, as text; null where it could not be counted. */
  unread: string | null;
  /** Whether what is shown is the sandbox's invention. */
  demo: boolean;
  /** Stands beside the words that the data is made up. */
  offer: ReactNode;
  /** Stands above every page. */
  above: ReactNode;
  /** One more thing of the person's menu. */
  menuItem: ReactNode;
  children: ReactNode;
}

/** The frame of the desk: a column of places beside the page; on a phone, a bar under the thumb. */
export function AppShell({
  person,
  counts,
  theme,
  unread,
  demo,
  offer,
  above,
  menuItem,
  children,
}: AppShellProps) {
  return (
    <div data-frame className="flex min-h-dvh flex-col bg-canvas md:h-dvh md:flex-row md:overflow-hidden">
      <SkipLink />
      <Keys />
      <header data-screen-only className="hidden w-14 shrink-0 flex-col gap-4 px-2 pt-3 pb-2 md:flex lg:w-48">
        <HomeLink />
        <Navigation roles={person.roles} counts={counts} where="side" />
        <div className="mt-auto flex flex-col gap-1">
          <Bell unread={unread} />
          <UserMenu person={person} theme={theme} item={menuItem} />
        </div>
      </header>
      <header
        data-screen-only
        className="flex h-12 items-center justify-between border-b border-line bg-canvas px-4 md:hidden"
      >
        <HomeLink />
        <div className="flex items-center gap-1">
          <Bell unread={unread} compact />
          <div className="w-10">
            <UserMenu person={person} theme={theme} item={menuItem} compact />
          </div>
        </div>
      </header>
      <main
        id="content"
        data-frame
        tabIndex={-1}
        className="relative flex min-w-0 flex-1 flex-col bg-surface max-md:pb-16 md:my-2 md:mr-2 md:overflow-hidden md:rounded-lg md:border md:border-line md:shadow-sm"
      >
        {demo && <DemoBanner offer={offer} />}
        {above}
        {children}
      </main>
      <div
        data-screen-only
        className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-raised pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        <Navigation roles={person.roles} counts={counts} where="bottom" />
      </div>
    </div>
  );
}

function HomeLink() {
  const t = useTranslations('common');
  return (
    <Link
      href="/queue"
      className="flex h-8 items-center gap-2 rounded-md px-1.5 text-base font-semibold tracking-[-0.012em] max-lg:md:justify-center max-lg:md:px-0"
    >
      <BrandMark />
      <span className="max-lg:md:sr-only">{t('product')}</span>
    </Link>
  );
}
