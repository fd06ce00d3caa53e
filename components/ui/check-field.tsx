'use client';

import { useId } from 'react';
import { FieldError } from './field-error';
import { useProblem } from './form-problems';

interface CheckFieldProps {
  label: string;
  /** The field's name in a list of what is wrong; the label is a whole sentence. */
  shortLabel: string;
  name: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  error?: string | undefined;
}

/** A statement that a person makes by ticking it. */
export function CheckField({ label, shortLabel, name, checked, onChange, error }: CheckFieldProps) {
  const id = useId();
  useProblem(id, shortLabel, error);
  return (
    <div className="flex flex-col gap-1.5">
      <label className="flex items-start gap-2 text-sm">
        <input
          id={id}
          type="checkbox"
          name={name}
          checked={checked}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={(event) => onChange(event.target.checked)}
          className="mt-0.5 size-4 accent-accent-strong"
        />
        {label}
      </label>
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}
