'use client';

import { useId, type ReactNode } from 'react';

interface FlagFieldProps {
  label: string;
  hint: ReactNode;
  name: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Something that holds or does not. */
export function FlagField({ label, hint, name, checked, onChange }: FlagFieldProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2 text-sm">
      <input
        id={id}
        type="checkbox"
        name={name}
        checked={checked}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent-strong"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <div id={`${id}-hint`} className="mt-0.5 text-xs text-ink-muted empty:hidden">
          {hint}
        </div>
      </div>
    </div>
  );
}
