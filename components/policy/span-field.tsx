'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { spanParts, UNITS, type Unit } from './operation-draft';

interface SpanFieldProps {
  label: string;
  hint?: ReactNode;
  error: string | undefined;
  required: boolean;
  value: string;
  onChange: (value: string) => void;
}

const UNIT_CHOICES = (Object.keys(UNITS) as Unit[]).reverse();

/** A length of time: a number, and in what it counts. */
export function SpanField({ label, hint, error, required, value, onChange }: SpanFieldProps) {
  const t = useTranslations('policies');
  const { amount, unit } = spanParts(value);
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(control) => (
        <span className="grid grid-cols-[minmax(0,1fr)_7rem] gap-2">
          <Input
            {...control}
            inputMode="numeric"
            maxLength={12}
            value={amount}
            onChange={(event) => onChange(`${event.target.value} ${unit}`)}
          />
          <Select
            aria-label={t('unitOf', { label })}
            value={unit}
            onChange={(event) => onChange(`${amount} ${event.target.value}`)}
            choices={UNIT_CHOICES.map((name) => ({ value: name, label: t(`unit.${name}`) }))}
          />
        </span>
      )}
    </Field>
  );
}
