'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '../ui/button';
import { useClearFilters } from './table-address';

/** Takes every filter off; absent while none is on. */
export function ClearFilters({
  names,
  look = 'ghost',
}: {
  names: readonly string[];
  look?: 'ghost' | 'secondary';
}) {
  const t = useTranslations('common.table');
  const { active, clear } = useClearFilters(names);
  if (active === 0) return null;
  return (
    <Button look={look} onClick={clear}>
      <X aria-hidden />
      {t('clear')}
    </Button>
  );
}
