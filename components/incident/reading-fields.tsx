'use client';

import { useTranslations } from 'next-intl';
import { type IncidentOperation } from '@/lib/domain/incident-view';
import { placeholderLabel } from '@/lib/domain/placeholder-label';
import { visibleText } from '@/lib/domain/visible-text';
import { Field } from '../ui/field';
import { FieldError } from '../ui/field-error';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { contentOf, type ContentDraft, type ReportDraft } from './report-draft';

interface ReadingFieldsProps {
  draft: ReportDraft;
  operations: readonly IncidentOperation[];
  /** Fields that are still missing, once somebody has tried to send. */
  missing: readonly string[];
  onChange: (draft: ReportDraft) => void;
}

const COLUMNS = ['match', 'resultId', 'status', 'account', 'fixedAccount'] as const;
const WORDS = ['done', 'pending', 'failed', 'reversed'] as const;
const REQUIRED: readonly string[] = ['match', 'resultId', 'status', 'done'];
// Written out: the form must not carry the reader of files along.
const MATCH_VALUES = ['key', 'externalRequestKey', 'businessRef'] as const;

/** Which column holds what, and which words mean what. */
export function ReadingFields({ draft, operations, missing, onChange }: ReadingFieldsProps) {
  const t = useTranslations('incidents.form');
  const set = (change: Partial<ReportDraft>) => onChange({ ...draft, ...change });
  const error = (name: string) => (missing.includes(name) ? t('missing') : undefined);
  const text = (name: (typeof COLUMNS)[number] | (typeof WORDS)[number]) => (
    <Field
      key={name}
      label={t(`field.${name}.label`)}
      hint={t(`field.${name}.hint`)}
      required={REQUIRED.includes(name)}
      error={error(name)}
    >
      {(control) => (
        <Input
          {...control}
          name={name}
          className="font-mono"
          maxLength={1_000}
          spellCheck={false}
          value={draft[name]}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('field.operation.label')} required error={error('operation')}>
          {(control) => (
            <Select
              {...control}
              name="operation"
              value={draft.operation}
              choices={operations.map(({ operation }) => ({
                value: operation,
                label: visibleText(operation),
              }))}
              onChange={(event) => {
                const operation = operations.find((each) => each.operation === event.target.value);
                set({ operation: event.target.value, content: contentOf(operation) });
              }}
            />
          )}
        </Field>
        <Field label={t('field.asOf.label')} hint={t('field.asOf.hint')} required error={error('asOf')}>
          {(control) => (
            <Input
              {...control}
              name="asOf"
              type="datetime-local"
              value={draft.asOf}
              onChange={(event) => set({ asOf: event.target.value })}
            />
          )}
        </Field>
        <Field label={t('field.matchValue.label')} hint={t('field.matchValue.hint')} required>
          {(control) => (
            <Select
              {...control}
              name="matchValue"
              value={draft.matchValue}
              choices={MATCH_VALUES.map((value) => ({ value, label: t(`matchValue.${value}`) }))}
              onChange={(event) => set({ matchValue: event.target.value as ReportDraft['matchValue'] })}
            />
          )}
        </Field>
        {COLUMNS.map(text)}
      </div>
      <fieldset className="grid gap-4 sm:grid-cols-2">
        <legend className="mb-2 text-sm font-semibold">{t('words')}</legend>
        {WORDS.map(text)}
      </fieldset>
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 text-sm font-semibold">{t('content')}</legend>
        <p className="text-xs text-ink-muted">{t('contentHint')}</p>
        {draft.content.map((each, at) => (
          <ContentRow
            key={each.expected}
            row={each}
            onChange={(row) =>
              set({ content: draft.content.map((other, index) => (index === at ? row : other)) })
            }
          />
        ))}
        {missing.includes('content') && (
          <FieldError id="report-content-error">{t('contentMissing')}</FieldError>
        )}
      </fieldset>
    </>
  );
}

const MATCHES = ['exact', 'caseless', 'numeric'] as const;

function ContentRow({ row, onChange }: { row: ContentDraft; onChange: (row: ContentDraft) => void }) {
  const t = useTranslations('incidents.form');
  const name = visibleText(placeholderLabel(row.expected));
  return (
    <div
      role="group"
      aria-label={name}
      className="grid gap-2 rounded-md border border-line bg-canvas p-2.5 sm:grid-cols-3"
    >
      <Field label={t('contentColumn', { name })} required={row.required}>
        {(control) => (
          <Input
            {...control}
            className="font-mono"
            maxLength={100}
            spellCheck={false}
            value={row.column}
            onChange={(event) => onChange({ ...row, column: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('matchHow')} required>
        {(control) => (
          <Select
            {...control}
            value={row.match}
            choices={MATCHES.map((value) => ({ value, label: t(`match.${value}`) }))}
            onChange={(event) => onChange({ ...row, match: event.target.value as ContentDraft['match'] })}
          />
        )}
      </Field>
      {row.match === 'numeric' && (
        <Field label={t('decimals')} hint={t('decimalsHint')} required>
          {(control) => (
            <Select
              {...control}
              value={row.decimals}
              choices={['0', '1', '2', '3', '4', '5', '6'].map((value) => ({ value, label: value }))}
              onChange={(event) => onChange({ ...row, decimals: event.target.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
}
