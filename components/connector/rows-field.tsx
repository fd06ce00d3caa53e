'use client';

import { Plus, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId } from 'react';
import { newRow, type ConnectorField, type FieldRow, type RowColumn } from '@/lib/domain/connector-form';
import { Button } from '../ui/button';
import { FieldError } from '../ui/field-error';
import { useProblem } from '../ui/form-problems';
import { Input } from '../ui/input';
import { Select } from '../ui/select';

interface RowsFieldProps {
  field: ConnectorField;
  label: string;
  hint: string;
  error: string | undefined;
  rows: readonly FieldRow[];
  onChange: (rows: readonly FieldRow[]) => void;
}

const PAIR: readonly RowColumn[] = [{ name: 'name' }, { name: 'value' }];

/** A list whose lines have several members each; `fieldset` and `legend` tell which list a line belongs to. */
export function RowsField({ field, label, hint, error, rows, onChange }: RowsFieldProps) {
  const t = useTranslations('connectors.rows');
  const id = useId();
  useProblem(id, label, error);
  const columns = field.kind === 'pairs' ? PAIR : (field.columns ?? []);
  const change = (at: number, name: string, text: string) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, [name]: text } : row)));
  return (
    <fieldset
      id={id}
      aria-describedby={`${id}-hint`}
      aria-invalid={error === undefined ? undefined : true}
      className="flex min-w-0 flex-col gap-2"
    >
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {rows.map((row, at) => (
        <div
          key={at}
          role="group"
          aria-label={t('line', { number: at + 1 })}
          className="flex items-end gap-2 rounded-md border border-line bg-canvas p-2.5"
        >
          <div
            className={
              columns.length === 2
                ? 'grid min-w-0 flex-1 gap-2 sm:grid-cols-2'
                : 'grid min-w-0 flex-1 gap-2 sm:grid-cols-2 lg:grid-cols-3'
            }
          >
            {columns.map((column) => (
              <Member
                key={column.name}
                column={column}
                value={row[column.name] ?? ''}
                onChange={(text) => change(at, column.name, text)}
              />
            ))}
          </div>
          <Button
            size="icon"
            look="ghost"
            aria-label={t('remove', { number: at + 1, field: label })}
            onClick={() => onChange(rows.filter((_row, index) => index !== at))}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
      <div>
        <Button size="sm" onClick={() => onChange([...rows, newRow(field)])}>
          <Plus aria-hidden />
          {t('add')}
          <span className="sr-only">: {label}</span>
        </Button>
      </div>
      <p id={`${id}-hint`} className="text-xs text-ink-muted">
        {hint}
      </p>
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}

interface MemberProps {
  column: RowColumn;
  value: string;
  onChange: (text: string) => void;
}

function Member({ column, value, onChange }: MemberProps) {
  const t = useTranslations('connectors');
  const label = t.has(`rows.${column.name as 'name'}`) ? t(`rows.${column.name as 'name'}`) : column.name;
  return (
    <label className="flex min-w-0 flex-col gap-1 text-xs text-ink-muted">
      {label}
      {column.choices === undefined ? (
        <Input
          className="font-mono"
          maxLength={1_000}
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Select
          value={value}
          onChange={(event) => onChange(event.target.value)}
          choices={column.choices.map((each) => ({
            value: each,
            label: t.has(`choice.${each as 'exact'}`) ? t(`choice.${each as 'exact'}`) : each,
          }))}
        />
      )}
    </label>
  );
}
