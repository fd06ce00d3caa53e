'use client';

import { CircleQuestionMark, Keyboard, LogOut, MonitorSmartphone } from 'lucide-react';
import { signOut } from 'next-auth/react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { VisibleText } from '../text/visible-text';
import { Button } from '../ui/button';
import { buttonLook } from '../ui/button-look';
import { Popover } from '../ui/popover';
import { type Opened } from '../ui/use-opener';
import { LanguageChoice } from './language-choice';
import { openKeyMap } from './open-key-map';
import { type Theme } from './preferences';
import { ThemeChoice } from './theme-choice';

interface AccountPanelProps {
  opened: Opened;
  align: 'start' | 'end';
  name: string;
  roles: string;
  theme: Theme;
  item: ReactNode;
  onClose: () => void;
}

/** What the person's menu holds; loaded when it is opened. */
export function AccountPanel({ opened, align, name, roles, theme, item, onClose }: AccountPanelProps) {
  const t = useTranslations('common');
  const [leaving, setLeaving] = useState(false);
  return (
    <Popover opened={opened} label={t('nav.account')} align={align} onClose={onClose}>
      <div className="flex w-60 flex-col gap-3">
        <div className="border-b border-line pb-3">
          <VisibleText text={name} className="text-sm font-medium" />
          <p className="text-xs text-ink-muted">{roles}</p>
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
