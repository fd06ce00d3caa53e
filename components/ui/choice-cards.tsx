'use client';

import { useId, type ReactNode } from 'react';
import { classNames } from './class-names';
import { FieldError } from './field-error';
import { useProblem } from './form-problems';

interface ChoiceCardsProps<Value extends string> {
  /** Accessible name of the group. */
  label: string;
  /** The form's field; a name of its own without, so that groups do not mix. */
  name?: string;
  value: Value | null;
  onChange: (value: Value) => void;
  /** What is wrong with the choice, once somebody has tried to send. */
  error?: string | undefined;
  choices: readonly {
    value: Value;
    title: ReactNode;
    body?: ReactNode;
    /** Why it cannot be chosen now; shown in place. It stays reachable, so that the reason can be read. */
    unavailable?: string | undefined;
  }[];
}

/** One of a few weighty choices, each with its consequence in words. Plain radio buttons: arrows move, forms see them. */
export function ChoiceCards<Value extends string>({
  label,
  name,
  value,
  onChange,
  error,
  choices,
}: ChoiceCardsProps<Value>) {
  const id = useId();
  useProblem(id, label, error);
  return (
    <div
      id={id}
      role="radiogroup"
      aria-label={label}
      aria-invalid={error !== undefined || undefined}
      className="flex flex-col gap-2"
    >
      {choices.map((choice) => {
        const blocked = choice.unavailable !== undefined;
        const body = `${id}-${choice.value}`;
        return (
          <label
            key={choice.value}
            className={classNames(
              'flex items-start gap-3 rounded-md border border-line-strong px-3 py-2.5 text-sm',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
              'has-checked:border-accent has-checked:bg-accent-soft',
              blocked ? 'cursor-not-allowed bg-sunken hover:bg-sunken' : 'bg-surface hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={name ?? id}
              value={choice.value}
              checked={value === choice.value}
              aria-disabled={blocked || undefined}
              aria-describedby={choice.body === undefined && !blocked ? undefined : body}
              onChange={() => {
                if (!blocked) onChange(choice.value);
              }}
              className="mt-[0.1875rem] size-4 shrink-0 accent-accent outline-none"
            />
            <span className="min-w-0 flex-1">
              <span className="font-medium">{choice.title}</span>
              <span id={body} className="block text-xs text-ink-muted empty:hidden">
                {choice.body}
                {blocked && <span className="block font-medium text-caution">{choice.unavailable}</span>}
              </span>
            </span>
          </label>
        );
      })}
      {error !== undefined && <FieldError>{error}</FieldError>}
    </div>
  );
}
