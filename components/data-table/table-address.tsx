'use client';

import { debounce, parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import {
  createContext,
  use,
  useMemo,
  useTransition,
  type ReactNode,
  type TransitionStartFunction,
} from 'react';

/** The names that every list shares in its address. */
const TABLE_PARAMETERS = { sort: 'sort', cursor: 'cursor', density: 'density' } as const;

const DENSITIES = ['comfortable', 'compact'] as const;

export type Density = (typeof DENSITIES)[number];

interface Reading {
  pending: boolean;
  start: TransitionStartFunction;
}

const ReadingContext = createContext<Reading | null>(null);

/** Joins the controls of one list: while the server reads what one of them asked for, the rows say so. */
export function TableAddress({ children }: { children: ReactNode }) {
  const [pending, start] = useTransition();
  const value = useMemo(() => ({ pending, start }), [pending, start]);
  return <ReadingContext value={value}>{children}</ReadingContext>;
}

function useReading(): Reading {
  const reading = use(ReadingContext);
  if (reading === null) throw new Error('bug: a list control outside of <TableAddress>');
  return reading;
}

export function useIsReading(): boolean {
  return useReading().pending;
}

/** For a list's own parts of the address: what is read anew inside it shows as being read. */
export function useListTransition(): TransitionStartFunction {
  return useReading().start;
}

/** Milliseconds after the last key before the server is asked. */
const TYPING_PAUSE = 350;

const noPosition = { [TABLE_PARAMETERS.cursor]: null };
const cursorParser = { cursor: parseAsString };
const textParsers = (names: readonly string[]): Record<string, typeof parseAsString> =>
  Object.fromEntries([...names, TABLE_PARAMETERS.cursor].map((name) => [name, parseAsString]));

/** A text filter that follows typing. A new filter starts at the first page. */
export function useTextFilter(name: string): [string, (text: string) => void] {
  const { start } = useReading();
  const [values, set] = useQueryStates(textParsers([name]), {
    shallow: false,
    history: 'replace',
    startTransition: start,
  });
  return [
    values[name] ?? '',
    (text) =>
      void set(
        { [name]: text === '' ? null : text, ...noPosition },
        { limitUrlUpdates: debounce(TYPING_PAUSE) },
      ),
  ];
}

/** A filter of any number of values; none means all. */
export function useChoiceFilter(name: string): [readonly string[], (values: readonly string[]) => void] {
  const { start } = useReading();
  const [values, set] = useQueryStates(
    { [name]: parseAsArrayOf(parseAsString), [TABLE_PARAMETERS.cursor]: parseAsArrayOf(parseAsString) },
    { shallow: false, history: 'push', startTransition: start },
  );
  return [
    values[name] ?? [],
    (next) => void set({ [name]: next.length === 0 ? null : [...next], ...noPosition }),
  ];
}

/** The order in the address; the list's own default when it names none. */
export function useSortParameter(fallback: string): [string, (sort: string) => void] {
  const { start } = useReading();
  const [values, set] = useQueryStates(
    { sort: parseAsString, ...cursorParser },
    { shallow: false, history: 'push', startTransition: start },
  );
  return [
    values.sort ?? fallback,
    (sort) => void set({ sort: sort === fallback ? null : sort, ...noPosition }),
  ];
}

/** The page in the address; null is the first. */
export function useCursorParameter(): [string | null, (cursor: string | null) => void] {
  const { start } = useReading();
  const [values, set] = useQueryStates(cursorParser, {
    shallow: false,
    history: 'push',
    startTransition: start,
  });
  return [values.cursor, (cursor) => void set({ cursor })];
}

/** Row height, kept in the address, so that a link shows what was seen; needs no answer from the server. */
export function useDensityParameter(): [Density, (density: Density) => void] {
  const [values, set] = useQueryStates(
    { density: parseAsStringLiteral(DENSITIES).withDefault('comfortable') },
    { history: 'replace' },
  );
  return [values.density, (density) => void set({ density })];
}

/** Clears the named filters, and the position with them. */
export function useClearFilters(names: readonly string[]): { active: number; clear: () => void } {
  const { start } = useReading();
  const parsers = Object.fromEntries(
    [...names, TABLE_PARAMETERS.cursor].map((name) => [name, parseAsString]),
  );
  const [values, set] = useQueryStates(parsers, { shallow: false, history: 'push', startTransition: start });
  return {
    active: names.filter((name) => values[name] != null).length,
    clear: () => void set(Object.fromEntries(Object.keys(parsers).map((name) => [name, null]))),
  };
}
