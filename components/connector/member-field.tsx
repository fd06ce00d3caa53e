'use client';

import { type KnownField } from '@/lib/domain/connector-fields';
import { type FieldValue } from '@/lib/domain/connector-form';
import { type FieldRow } from '@/lib/domain/connector-rows';
import { CheckField } from '../ui/check-field';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { Textarea } from '../ui/textarea';
import { RowsField } from './rows-field';
import { useOptionText } from './use-option-text';
import { type FieldWords } from './use-field-words';

interface MemberFieldProps {
  field: KnownField;
  words: FieldWords;
  value: FieldValue | undefined;
  error: string | undefined;
  onChange: (value: FieldValue) => void;
}

/** The control of one member of a recipe, by its kind. */
export function MemberField({ field, words, value, error, onChange }: MemberFieldProps) {
  const optionText = useOptionText();
  const { label, hint } = words;
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
    case 'choice':
      return (
        <Field label={label} hint={hint} error={error} required>
          {(control) => (
            <Select
              {...control}
              name={field.key}
              value={text}
              onChange={(event) => onChange(event.target.value)}
              choices={(field.choices ?? []).map((choice) => ({
                value: choice,
                label: optionText(field.key, choice),
              }))}
            />
          )}
        </Field>
      );
    case 'long':
    case 'words':
      return (
        <Field label={label} hint={hint} error={error} required={field.required === true}>
          {(control) => (
            <Textarea
              {...control}
              name={field.key}
              rows={field.kind === 'long' ? 5 : 2}
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
    case 'place':
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
