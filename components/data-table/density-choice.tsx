'use client';

import { Rows2, Rows4 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Segmented } from '../ui/segmented';
import { useDensityParameter } from './table-address';

/** Tall rows to read, low rows to scan. */
export function DensityChoice() {
  const t = useTranslations('common.table');
  const [density, setDensity] = useDensityParameter();
  return (
    <Segmented
      size="sm"
      label={t('density')}
      value={density}
      onChange={setDensity}
      choices={[
        { value: 'comfortable', name: t('comfortable'), label: <Rows2 aria-hidden className="size-3.5" /> },
        { value: 'compact', name: t('compact'), label: <Rows4 aria-hidden className="size-3.5" /> },
      ]}
    />
  );
}
