import { clsx, type ClassValue } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

// The merge knows Tailwind's own scale only; ours has a step of its own that would be taken for a colour.
const merge = extendTailwindMerge({ extend: { classGroups: { 'font-size': [{ text: ['2xs'] }] } } });

/** Joins class names; of two that set the same thing, the later one wins. */
export function classNames(...values: ClassValue[]): string {
  return merge(clsx(values));
}
