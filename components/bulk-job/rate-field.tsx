'use client';

import { useTranslations } from 'next-intl';
import { JOB_RATES } from '@/lib/domain/bulk-job';
import { Field } from '../ui/field';
import { Select } from '../ui/select';

/** How many rows a second at most; a rate that was set elsewhere is among the choices. */
export function RateField({ value, onChange }: { value: number; onChange: (rate: number) => void }) {
  const t = useTranslations('bulk.steps');
  const rates = [...new Set([...JOB_RATES, value])].sort((a, b) => a - b);
  return (
    <Field label={t('rate')} required>
      {(control) => (
        <Select
          {...control}
          value={String(value)}
          onChange={(event) => onChange(Number(event.target.value))}
          choices={rates.map((rate) => ({ value: String(rate), label: String(rate) }))}
        />
      )}
    </Field>
  );
}
