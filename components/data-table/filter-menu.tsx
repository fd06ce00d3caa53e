'use client';

import { ChevronDown } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { Button } from '../ui/button';
import { classNames } from '../ui/class-names';
import { Menu, MenuCheck } from '../ui/menu';
import { useChoiceFilter } from './table-address';

interface FilterChoice {
  value: string;
  label: string;
  /** An icon or avatar before the words. */
  lead?: ReactNode;
  count?: string;
}

interface FilterMenuProps {
  /** The parameter in the address. */
  name: string;
  label: string;
  choices: readonly FilterChoice[];
  /** Several values at once; otherwise a new one replaces the old. */
  multiple?: boolean;
  /** Words for "no filter" where it isn't simply "any": "Open" when open is what the list shows by default. */
  anyLabel?: string;
}

/** One filter of a list: its button says what is chosen, its menu holds the values. */
export function FilterMenu({ name, label, choices, multiple = false, anyLabel }: FilterMenuProps) {
  const t = useTranslations('common.table');
  const [chosen, choose] = useChoiceFilter(name);
  const known = choices.filter((choice) => chosen.includes(choice.value));
  const summary = known.length === 1 ? known[0]?.label : known.length > 1 ? String(known.length) : anyLabel;
  const toggle = (value: string) => {
    if (chosen.includes(value)) choose(chosen.filter((each) => each !== value));
    else choose(multiple ? [...chosen, value] : [value]);
  };
  return (
    <Menu
      trigger={
        <Button look={chosen.length > 0 ? 'chosen' : 'secondary'} className="max-w-60 font-normal">
          <span
            className={classNames(
              summary !== undefined && 'max-sm:sr-only',
              chosen.length > 0 ? 'text-accent' : summary !== undefined && 'text-ink-muted',
            )}
          >
            {label}
          </span>
          {summary !== undefined && <span className="min-w-0 truncate font-medium">{summary}</span>}
          <ChevronDown aria-hidden className="size-3.5! text-ink-faint" />
        </Button>
      }
    >
      <MenuCheck checked={chosen.length === 0} onToggle={() => choose([])}>
        {anyLabel ?? t('any')}
      </MenuCheck>
      {choices.map((choice) => (
        <MenuCheck
          key={choice.value}
          checked={chosen.includes(choice.value)}
          stays={multiple}
          onToggle={() => toggle(choice.value)}
        >
          {choice.lead}
          <span className="min-w-0 flex-1 truncate">{choice.label}</span>
          {choice.count !== undefined && (
            <span className="tabular ml-4 text-xs text-ink-faint">{choice.count}</span>
          )}
        </MenuCheck>
      ))}
    </Menu>
  );
}
