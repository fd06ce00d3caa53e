'use client';

import { ChevronsUpDown } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { Avatar } from '../person/avatar';
import { VisibleText } from '../text/visible-text';
import { useOpener } from '../ui/use-opener';
import { type Theme } from './preferences';

const load = () => import('./account-panel');
const AccountPanel = dynamic(async () => (await load()).AccountPanel, { ssr: false });

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
  const { opened, button, close } = useOpener('dialog', load);
  const roles = ROLES.filter((role) => person.roles.includes(role))
    .map((role) => t(`roles.${role}`))
    .join(' · ');
  return (
    <>
      <button
        type="button"
        {...button}
        aria-label={`${t('nav.account')}: ${person.displayName}`}
        className="flex h-10 w-full items-center gap-2.5 rounded-md px-1.5 text-left hover:bg-hover max-lg:justify-center"
      >
        <Avatar personId={person.personId} name={person.displayName} />
        {!compact && (
          <>
            <span className="min-w-0 flex-1 max-lg:hidden">
              <VisibleText text={person.displayName} className="block truncate text-sm font-medium" />
              <span className="block truncate text-xs text-ink-muted">{roles}</span>
            </span>
            <ChevronsUpDown aria-hidden className="size-3.5 text-ink-faint max-lg:hidden" />
          </>
        )}
      </button>
      {opened !== null && (
        <AccountPanel
          opened={opened}
          align={compact ? 'end' : 'start'}
          name={person.displayName}
          roles={roles}
          theme={theme}
          item={item}
          onClose={close}
        />
      )}
    </>
  );
}
