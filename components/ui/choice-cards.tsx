'use client';

import { RadioGroup } from 'radix-ui';
import { type ReactNode } from 'react';
import { classNames } from './class-names';

interface ChoiceCardsProps<Value extends string> {
  /** Accessible name of the group. */
  label: string;
  name?: string;
  value: Value | null;
  onChange: (value: Value) => void;
  choices: readonly {
    value: Value;
    title: ReactNode;
    body?: ReactNode;
    /** Why it cannot be chosen now; shown in place. */
    unavailable?: string | undefined;
  }[];
}

/** One of a few weighty choices, each with its consequence in words. */
export function ChoiceCards<Value extends string>({
  label,
  name,
  value,
  onChange,
  choices,
}: ChoiceCardsProps<Value>) {
  return (
    <RadioGroup.Root
      aria-label={label}
      name={name}
      value={value ?? ''}
      onValueChange={(next) => {
        const chosen = choices.find((choice) => choice.value === next);
        if (chosen !== undefined && chosen.unavailable === undefined) onChange(chosen.value);
      }}
      className="flex flex-col gap-2"
    >
      {choices.map((choice) => (
        <RadioGroup.Item
          key={choice.value}
          value={choice.value}
          aria-disabled={choice.unavailable !== undefined || undefined}
          className={classNames(
            'group flex items-start gap-3 rounded-md border border-line-strong bg-surface px-3 py-2.5 text-left text-sm',
            'hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft',
            'aria-disabled:bg-sunken aria-disabled:hover:bg-sunken',
          )}
        >
          <span className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-line-control bg-surface group-data-[state=checked]:border-accent">
            <RadioGroup.Indicator className="size-2 rounded-full bg-accent" />
          </span>
          <span className="min-w-0 flex-1">
            <span className="font-medium">{choice.title}</span>
            {choice.body !== undefined && (
              <span className="mt-0.5 block text-xs text-ink-muted">{choice.body}</span>
            )}
            {choice.unavailable !== undefined && (
              <span className="mt-0.5 block text-xs font-medium text-caution">{choice.unavailable}</span>
            )}
          </span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
