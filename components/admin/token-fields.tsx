'use client';

import { useTranslations } from 'next-intl';
import { Field } from '../ui/field';
import { Select } from '../ui/select';

const DAYS = ['30', '90', '180', '365', 'never'] as const;
export type ExpiryChoice = (typeof DAYS)[number];

export const daysOf = (choice: ExpiryChoice): number | null => (choice === 'never' ? null : Number(choice));

/** How long a token is valid. */
export function ExpiryField({
  value,
  onChange,
}: {
  value: ExpiryChoice;
  onChange: (choice: ExpiryChoice) => void;
}) {
  const t = useTranslations('admin.tokens');
  return (
    <Field label={t('expiry')} required>
      {(control) => (
        <Select
          {...control}
          name="expiry"
          value={value}
          onChange={(event) => onChange(DAYS.find((each) => each === event.target.value) ?? '90')}
          choices={DAYS.map((each) => ({
            value: each,
            label: each === 'never' ? t('expiryNever') : t('expiryDays', { days: Number(each) }),
          }))}
        />
      )}
    </Field>
  );
}
