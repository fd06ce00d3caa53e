'use client';

import { useTranslations } from 'next-intl';
import {
  type ConnectorField,
  type ConnectorFieldKey,
  type FieldRow,
  type FieldValue,
} from '@/lib/domain/connector-form';
import { CheckField } from '../ui/check-field';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Textarea } from '../ui/textarea';
import { RowsField } from './rows-field';

interface MemberFieldProps {
  field: ConnectorField & { readonly key: ConnectorFieldKey };
  value: FieldValue | undefined;
  error: string | undefined;
  onChange: (value: FieldValue) => void;
}

/** The control of one member of a recipe, by its kind. */
export function MemberField({ field, value, error, onChange }: MemberFieldProps) {
  const t = useTranslations('connectors.field');
  const label = t(`${field.key}.label`);
  const hint = t(`${field.key}.hint`);
  const text = typeof value === 'string' ? value : '';
  switch (field.kind) {
    case 'flag':
      return (
        <div className="flex flex-col gap-1">
          <CheckField
            label={label}
            shortLabel={label}
            name={field.key}
            checked={value === true}
            onChange={onChange}
            error={error}
          />
          <p className="pl-6 text-xs text-ink-muted">{hint}</p>
        </div>
      );
    case 'pairs':
    case 'rows':
      return (
        <RowsField
          field={field}
          label={label}
          hint={hint}
          error={error}
          rows={Array.isArray(value) ? (value as readonly FieldRow[]) : []}
          onChange={onChange}
        />
      );
    case 'words':
      return (
        <Field label={label} hint={hint} error={error}>
          {(control) => (
            <Textarea
              {...control}
              name={field.key}
              rows={2}
              className="min-h-14 font-mono"
              maxLength={5_000}
              spellCheck={false}
              value={text}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Field>
      );
    case 'text':
    case 'number':
      return (
        <Field label={label} hint={hint} error={error} required={field.required === true}>
          {(control) => (
            <Input
              {...control}
              name={field.key}
              className={field.key === 'place' ? undefined : 'font-mono'}
              inputMode={field.kind === 'number' ? 'decimal' : undefined}
              maxLength={1_000}
              spellCheck={false}
              value={text}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Field>
      );
    default:
      return field.kind satisfies never;
  }
}
