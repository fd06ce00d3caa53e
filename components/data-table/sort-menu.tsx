'use client';

import { ArrowDownUp } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '../ui/button';
import { Menu, MenuChoices } from '../ui/menu';
import { useSortParameter } from './table-address';

interface SortMenuProps {
  defaultSort: string;
  choices: readonly { value: string; label: string }[];
}

/** The orders of a list by name: for phones, where there are no column heads, and for those that no column bears. */
export function SortMenu({ defaultSort, choices }: SortMenuProps) {
  const t = useTranslations('common.table');
  const [sort, setSort] = useSortParameter(defaultSort);
  const present = choices.find((choice) => choice.value === sort);
  return (
    <Menu
      align="end"
      trigger={
        <Button className="font-normal">
          <ArrowDownUp aria-hidden className="size-3.5! text-ink-faint" />
          <span className={present === undefined ? undefined : 'sr-only'}>{t('sort')}</span>
          {present?.label}
        </Button>
      }
    >
      <MenuChoices label={t('sort')} value={sort} onChange={setSort} choices={choices} />
    </Menu>
  );
}
