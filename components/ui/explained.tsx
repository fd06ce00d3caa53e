'use client';

import { type ReactNode } from 'react';
import { Tooltip } from './tooltip';

/** A word of the trade with its meaning, on hover and on focus. For pages of facts; in lists a `title` is enough. */
export function Explained({ meaning, children }: { meaning: string; children: ReactNode }) {
  return (
    <Tooltip content={meaning}>
      <button type="button" className="relative z-10 inline-flex max-w-full cursor-help rounded-sm text-left">
        {children}
        <span className="sr-only">. {meaning}</span>
      </button>
    </Tooltip>
  );
}
