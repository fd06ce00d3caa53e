'use client';

import { useTranslations } from 'next-intl';
import { useId, type ReactNode } from 'react';
import { FieldError } from './field-error';
import { useProblem } from './form-problems';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** What is wrong and how to put it right. */
  error?: string | undefined;
  required?: boolean;
  /** Receives what ties the control to its words: spread it on the control. */
  children: (control: {
    id: string;
    required: boolean;
    'aria-invalid': boolean | undefined;
    'aria-describedby': string | undefined;
  }) => ReactNode;
}

/** Label, control, hint and error, tied together for every reader. */
export function Field({ label, hint, error, required = false, children }: FieldProps) {
  const t = useTranslations('common.state');
  const id = useId();
  useProblem(id, label, error);
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    Boolean,
  );
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="flex items-baseline gap-1.5 text-sm font-medium">
        {label}
        {!required && <span className="text-xs font-normal text-ink-faint">{t('optional')}</span>}
      </label>
      {children({
        id,
        required,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-ink-muted">
          {hint}
        </p>
      )}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}
