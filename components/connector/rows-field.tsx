'use client';

import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId } from 'react';
import { type ConnectorField, type RowColumn } from '@/lib/domain/connector-fields';
import { newRow, type FieldRow } from '@/lib/domain/connector-rows';
import { Button } from '../ui/button';
import { classNames } from '../ui/class-names';
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

/** A list whose lines have several members each; `fieldset` and `legend` tell which list a line belongs to. */
export function RowsField({ field, label, hint, error, rows, onChange }: RowsFieldProps) {
  const t = useTranslations('connectors.rows');
  const id = useId();
  useProblem(id, label, error);
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
          <Members
            columns={field.columns ?? []}
            row={row}
            onChange={(name, text) => change(at, name, text)}
          />
          <div className="flex flex-col">
            {field.ordered === true && (
              <MoveButtons id={id} at={at} label={label} rows={rows} onChange={onChange} />
            )}
            <Button
              size="icon"
              look="ghost"
              aria-label={t('remove', { number: at + 1, field: label })}
              onClick={() => onChange(rows.filter((_row, index) => index !== at))}
            >
              <X aria-hidden />
            </Button>
          </div>
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

type MoveButtonsProps = Pick<RowsFieldProps, 'label' | 'rows' | 'onChange'> & { id: string; at: number };

/** One line up or down; the keyboard goes along, so that a second press moves the same line on. */
function MoveButtons({ id, at, label, rows, onChange }: MoveButtonsProps) {
  const t = useTranslations('connectors.rows');
  const move = (to: number, way: 'up' | 'down') => {
    const rest = rows.filter((_row, index) => index !== at);
    onChange([...rest.slice(0, to), ...rows.slice(at, at + 1), ...rest.slice(to)]);
    document.getElementById(`${id}-${to}-${way}`)?.focus();
  };
  const named = { number: at + 1, field: label };
  return (
    <>
      <Button
        size="icon"
        look="ghost"
        id={`${id}-${at}-up`}
        aria-label={t('up', named)}
        disabledReason={at === 0 ? t('isFirst') : undefined}
        onClick={() => move(at - 1, 'up')}
      >
        <ArrowUp aria-hidden />
      </Button>
      <Button
        size="icon"
        look="ghost"
        id={`${id}-${at}-down`}
        aria-label={t('down', named)}
        disabledReason={at === rows.length - 1 ? t('isLast') : undefined}
        onClick={() => move(at + 1, 'down')}
      >
        <ArrowDown aria-hidden />
      </Button>
    </>
  );
}

interface MembersProps {
  columns: readonly RowColumn[];
  row: FieldRow;
  onChange: (name: string, text: string) => void;
}

function Members({ columns, row, onChange }: MembersProps) {
  const shown = columns.filter(
    (column) => column.with === undefined || column.with.says.includes(row[column.with.column] ?? ''),
  );
  return (
    <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-2 lg:grid-cols-3">
      {shown.map((column) => (
        <Member
          key={column.name}
          column={column}
          value={row[column.name] ?? ''}
          onChange={(text) => onChange(column.name, text)}
        />
      ))}
    </div>
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
  const wordsOf = (choice: string) => {
    const name = (choice === '' ? 'plain' : choice) as 'exact';
    return t.has(`choice.${name}`) ? t(`choice.${name}`) : choice;
  };
  return (
    <label
      className={classNames(
        'flex min-w-0 flex-col gap-1 text-xs text-ink-muted',
        column.wide === true && 'lg:col-span-2',
      )}
    >
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
          choices={column.choices.map((each) => ({ value: each, label: wordsOf(each) }))}
        />
      )}
    </label>
  );
}
