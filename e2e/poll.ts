import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two looks. */
const EVERY = 200;

/**
 * Looks until there is something: what `look` answers, unless it is undefined, null or false.
 * @param what names it in the error when the time (milliseconds) is over
 */
export async function poll<T>(
  what: string,
  look: () => T | Promise<T>,
  { within = 30_000 }: { within?: number } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  for (const deadline = Date.now() + within; Date.now() < deadline; await pause(EVERY)) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false)
      return found as NonNullable<Exclude<T, false>>;
  }
  throw new Error(`waited ${within / 1000} s for ${what}`);
}
