'use client';

import { Check, ChevronDown } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode } from 'react';
import { Button } from '../ui/button';
import { classNames } from '../ui/class-names';
import { Menu } from '../ui/menu';
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
        <Button
          className={classNames(
            'max-w-60 font-normal',
            chosen.length > 0 && 'border-accent bg-accent-soft text-accent hover:bg-accent-soft',
          )}
        >
          <span
            className={classNames(
              summary !== undefined && 'max-sm:sr-only text-ink-muted',
              chosen.length > 0 && 'text-accent',
            )}
          >
            {label}
          </span>
          {summary !== undefined && <span className="min-w-0 truncate font-medium">{summary}</span>}
          <ChevronDown aria-hidden className="size-3.5! text-ink-faint" />
        </Button>
      }
    >
      <Item checked={chosen.length === 0} onToggle={() => choose([])}>
        {anyLabel ?? t('any')}
      </Item>
      {choices.map((choice) => (
        <Item
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
        </Item>
      ))}
    </Menu>
  );
}

interface ItemProps {
  checked: boolean;
  /** Keeps the menu open for the next value. */
  stays?: boolean;
  onToggle: () => void;
  children: ReactNode;
}

function Item({ checked, stays = false, onToggle, children }: ItemProps) {
  return (
    <DropdownMenu.CheckboxItem
      checked={checked}
      onCheckedChange={onToggle}
      onSelect={stays ? (event) => event.preventDefault() : undefined}
      className="flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 text-sm outline-none select-none data-highlighted:bg-hover max-md:min-h-10"
    >
      <span className="inline-flex size-4 shrink-0">
        <DropdownMenu.ItemIndicator>
          <Check aria-hidden className="size-4 text-accent" />
        </DropdownMenu.ItemIndicator>
      </span>
      {children}
    </DropdownMenu.CheckboxItem>
  );
}
