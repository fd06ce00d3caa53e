'use client';

import { ToggleGroup } from 'radix-ui';
import { type ReactNode } from 'react';
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
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const chosen = choices.find((choice) => choice.value === next);
        if (chosen !== undefined) onChange(chosen.value);
      }}
      className={classNames('inline-flex rounded-md bg-sunken p-0.5 ring-1 ring-line ring-inset', className)}
    >
      {choices.map((choice) => (
        <ToggleGroup.Item
          key={choice.value}
          value={choice.value}
          aria-label={choice.name}
          title={choice.name}
          className={classNames(
            'inline-flex flex-1 items-center justify-center gap-1.5 rounded-sm px-2.5 text-ink-muted whitespace-nowrap hover:text-ink',
            'data-[state=on]:bg-raised data-[state=on]:font-medium data-[state=on]:text-ink data-[state=on]:shadow-sm',
            size === 'md' ? 'h-7 text-sm max-md:h-9' : 'h-6 text-xs max-md:h-9',
          )}
        >
          {choice.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
