'use client';

import { useId } from 'react';
import { FieldError } from '../ui/field-error';
import { useProblem } from '../ui/form-problems';

interface CheckListProps {
  label: string;
  hint?: string | undefined;
  choices: readonly { value: string; label: string; note?: string | undefined }[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  error?: string | undefined;
}

/** Several of a few, each ticked on its own. */
export function CheckList({ label, hint, choices, chosen, onChange, error }: CheckListProps) {
  const id = useId();
  useProblem(id, label, error);
  return (
    <fieldset
      className="flex flex-col gap-1.5"
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {choices.map(({ value, label: words, note }, index) => (
        <div key={value} className="flex items-start gap-2 text-sm">
          <input
            id={index === 0 ? id : `${id}-${index}`}
            type="checkbox"
            aria-describedby={note === undefined ? undefined : `${id}-${index}-note`}
            checked={chosen.includes(value)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
            }
            className="mt-0.5 size-4 accent-accent-strong"
          />
          <div>
            <label htmlFor={index === 0 ? id : `${id}-${index}`}>{words}</label>
            {note !== undefined && (
              <p id={`${id}-${index}-note`} className="text-xs text-ink-muted">
                {note}
              </p>
            )}
          </div>
        </div>
      ))}
      {hint !== undefined && <p className="text-xs text-ink-muted">{hint}</p>}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
