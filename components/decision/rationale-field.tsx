'use client';

import { useTranslations } from 'next-intl';
import { type KeyboardEvent } from 'react';
import { SHORTEST_RATIONALE, visibleLength } from '@/lib/domain/visible-length';
import { Field } from '../ui/field';
import { Textarea } from '../ui/textarea';

interface RationaleFieldProps {
  value: string;
  onChange: (text: string) => void;
  label?: string;
  hint?: string;
  required?: boolean;
  /** Visible characters that it has at least, where a policy asks for more than everywhere. */
  shortest?: number | undefined;
  /** Set once somebody has tried to send: only then is a short reason called one. */
  tried: boolean;
  /** Of the input in the page's forms; several on one page need names of their own. */
  name: string;
}

/** Why. Ctrl or ⌘ with Enter sends the form. */
export function RationaleField({
  value,
  onChange,
  label,
  hint,
  required = true,
  shortest = SHORTEST_RATIONALE,
  tried,
  name,
}: RationaleFieldProps) {
  const t = useTranslations('decisions');
  const short = required && visibleLength(value) < shortest;
  return (
    <Field
      label={label ?? t(required ? 'field.rationale' : 'field.rationaleOptional')}
      hint={hint ?? t('field.rationaleHint', { count: shortest })}
      required={required}
      error={tried && short ? t('form.shortReason', { count: shortest }) : undefined}
    >
      {(control) => (
        <Textarea
          {...control}
          name={name}
          rows={2}
          maxLength={8_000}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={sendOnCtrlEnter}
        />
      )}
    </Field>
  );
}

export function sendOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

export function isLongEnough(text: string, shortest = SHORTEST_RATIONALE): boolean {
  return visibleLength(text) >= shortest;
}
