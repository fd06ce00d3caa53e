'use client';

import { ChevronsUpDown, CircleQuestionMark, Keyboard, LogOut, MonitorSmartphone } from 'lucide-react';
import { signOut } from 'next-auth/react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { Avatar } from '../person/avatar';
import { VisibleText } from '../text/visible-text';
import { Button } from '../ui/button';
import { buttonLook } from '../ui/button-look';
import { Popover } from '../ui/popover';
import { LanguageChoice } from './language-choice';
import { openKeyMap } from './open-key-map';
import { type Theme } from './preferences';
import { ThemeChoice } from './theme-choice';

const ROLES = ['OPERATOR', 'APPROVER', 'MANAGER', 'ADMIN'] as const;

export interface ShellPerson {
  personId: string;
  displayName: string;
  roles: readonly string[];
}

/** Who is signed in, in which roles; language, looks and the way out. */
export function UserMenu({
  person,
  theme,
  item,
  compact = false,
}: {
  person: ShellPerson;
  theme: Theme;
  item: ReactNode;
  compact?: boolean;
}) {
  const t = useTranslations('common');
  const [leaving, setLeaving] = useState(false);
  const roles = ROLES.filter((role) => person.roles.includes(role)).map((role) => t(`roles.${role}`));
  return (
    <Popover
      label={t('nav.account')}
      align={compact ? 'end' : 'start'}
      trigger={
        <button
          type="button"
          aria-label={`${t('nav.account')}: ${person.displayName}`}
          className="flex h-10 w-full items-center gap-2.5 rounded-md px-1.5 text-left hover:bg-hover max-lg:justify-center"
        >
          <Avatar personId={person.personId} name={person.displayName} />
          {!compact && (
            <>
              <span className="min-w-0 flex-1 max-lg:hidden">
                <VisibleText text={person.displayName} className="block truncate text-sm font-medium" />
                <span className="block truncate text-xs text-ink-muted">{roles.join(' · ')}</span>
              </span>
              <ChevronsUpDown aria-hidden className="size-3.5 text-ink-faint max-lg:hidden" />
            </>
          )}
        </button>
      }
    >
      <div className="flex w-60 flex-col gap-3">
        <div className="border-b border-line pb-3">
          <VisibleText text={person.displayName} className="text-sm font-medium" />
          <p className="text-xs text-ink-muted">{roles.join(' · ')}</p>
        </div>
        <Preferences theme={theme} />
        <Link
          href="/account/sessions"
          className={buttonLook({ look: 'ghost', className: 'w-full justify-start' })}
        >
          <MonitorSmartphone aria-hidden />
          {t('nav.sessions')}
        </Link>
        <Link href="/help" className={buttonLook({ look: 'ghost', className: 'w-full justify-start' })}>
          <CircleQuestionMark aria-hidden />
          {t('nav.help')}
        </Link>
        {item}
        <Button look="ghost" className="w-full justify-start" onClick={openKeyMap}>
          <Keyboard aria-hidden />
          {t('nav.shortcuts')}
        </Button>
        <Button
          look="ghost"
          pending={leaving}
          className="w-full justify-start"
          onClick={() => {
            setLeaving(true);
            void signOut({ callbackUrl: '/login?reason=SignedOut' });
          }}
        >
          <LogOut aria-hidden />
          {t('nav.signOut')}
        </Button>
      </div>
    </Popover>
  );
}

function Preferences({ theme }: { theme: Theme }) {
  const t = useTranslations('common');
  return (
    <div className="flex flex-col gap-2 text-xs text-ink-muted">
      <span aria-hidden>{t('language.label')}</span>
      <LanguageChoice />
      <span aria-hidden>{t('theme.label')}</span>
      <ThemeChoice theme={theme} />
    </div>
  );
}
