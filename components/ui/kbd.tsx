import { type ReactNode } from 'react';

/** A key to press. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-xs border border-line-strong bg-sunken px-1 text-2xs text-ink-muted">
      {children}
    </kbd>
  );
}
