'use client';

import { useId, type ReactNode } from 'react';
import { classNames } from './class-names';

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly { value: Value; label: ReactNode; name?: string }[];
  size?: 'sm' | 'md';
  className?: string;
}

/** One of two or three, all in sight. `name` is the accessible name where the label is an icon. */
export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  choices,
  size = 'md',
  className,
}: SegmentedProps<Value>) {
  const group = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={classNames('inline-flex rounded-md bg-sunken p-0.5 ring-1 ring-line ring-inset', className)}
    >
      {choices.map((choice) => (
        <label
          key={choice.value}
          title={choice.name}
          className={classNames(
            'relative inline-flex flex-1 items-center justify-center gap-1.5 rounded-sm px-2.5 text-ink-muted whitespace-nowrap hover:text-ink',
            'has-checked:bg-raised has-checked:font-medium has-checked:text-ink has-checked:shadow-sm',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent',
            size === 'md' ? 'h-7 text-sm max-md:h-9' : 'h-6 text-xs max-md:h-9',
          )}
        >
          <input
            type="radio"
            name={group}
            value={choice.value}
            checked={choice.value === value}
            aria-label={choice.name}
            onChange={() => onChange(choice.value)}
            // Over all of its label, unseen: a press and a screen reader's frame meet the whole of it.
            className="absolute inset-0 size-full cursor-pointer appearance-none rounded-sm outline-none"
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}
