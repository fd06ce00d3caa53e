'use client';

import { type ReactNode } from 'react';
import { useTooltip } from './tooltip';

/** Milliseconds: who only passes over a word is not told what it means. */
const REST = 250;

/** A word of the trade with its meaning, on hover and on focus. For pages of facts; in lists a `title` is enough. */
export function Explained({ meaning, children }: { meaning: string; children: ReactNode }) {
  const { trigger, card } = useTooltip(meaning, REST);
  return (
    <>
      <button
        type="button"
        {...trigger}
        className="relative z-10 inline-flex max-w-full cursor-help rounded-sm text-left"
      >
        {children}
        <span className="sr-only">. {meaning}</span>
      </button>
      {card}
    </>
  );
}
