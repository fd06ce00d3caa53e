import { clsx, type ClassValue } from 'clsx';

/**
 * Joins class names. Nothing resolves two that set the same thing: what a caller may change stands behind `weak:` in the
 * component (app/globals.css), and everything else is said once.
 */
export function classNames(...values: ClassValue[]): string {
  return clsx(values);
}
