'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Segmented } from '../ui/segmented';
import { rememberPreference, THEME_COOKIE, type Theme } from './preferences';

const ICONS = { system: Monitor, light: Sun, dark: Moon } as const;

/** Light, dark, or as the system has it. Takes effect at once; the server renders the next page with it. */
export function ThemeChoice({ theme }: { theme: Theme }) {
  const t = useTranslations('common.theme');
  const [chosen, setChosen] = useState(theme);
  const choose = (next: Theme) => {
    setChosen(next);
    document.documentElement.dataset['theme'] = next;
    rememberPreference(THEME_COOKIE, next);
  };
  return (
    <Segmented
      label={t('label')}
      value={chosen}
      onChange={choose}
      className="w-full"
      choices={(['system', 'light', 'dark'] as const).map((value) => {
        const Icon = ICONS[value];
        return { value, name: t(value), label: <Icon aria-hidden className="size-4" /> };
      })}
    />
  );
}
