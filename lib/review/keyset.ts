import { openCursor, sealCursor, type CursorBinding } from '@/lib/db/cursor';
import { type SqlParameters } from './sql-parameters';

/** One column of an order. All columns of an order run the same way, so that a row comparison uses the index. */
interface OrderColumn {
  /** A constant SQL expression. */
  expression: string;
  type: 'timestamptz' | 'uuid' | 'smallint' | 'bigint' | 'text';
}

export interface Keyset {
  /** Sorts by these, the last being unique: no row is skipped or seen twice, however many share a time. */
  columns: readonly OrderColumn[];
  descending: boolean;
}

/** Where a page begins: after (or, backwards, before) the row with these values. */
export interface PagePosition {
  backwards: boolean;
  values: readonly string[];
}

/** Rows a page shows unless asked otherwise, and the most that anybody gets. */
export const PAGE_SIZE = 50;
export const LARGEST_PAGE = 200;

/** `ORDER BY` of one page; going back it is turned round, and `takePage` turns the rows again. */
export function orderBy({ columns, descending }: Keyset, backwards: boolean): string {
  const direction = descending !== backwards ? 'desc' : 'asc';
  return columns.map((column) => `${column.expression} ${direction}`).join(', ');
}

/** "After the position" as one row comparison; true without a position. */
export function afterPosition(
  { columns, descending }: Keyset,
  position: PagePosition | null,
  $: SqlParameters,
): string {
  if (position === null) return 'true';
  const left = columns.map((column) => column.expression).join(', ');
  const right = columns.map((column, index) => $.add(position.values[index], column.type)).join(', ');
  return `(${left}) ${descending !== position.backwards ? '<' : '>'} (${right})`;
}

/** An array of the order's values as text; instants in UTC to the microsecond, which JavaScript would drop. */
export function positionOf({ columns }: Keyset): string {
  const texts = columns.map(({ expression, type }) =>
    type === 'timestamptz' ? `ledger.instant(${expression})` : `${expression}::text`,
  );
  return `array[${texts.join(', ')}]`;
}

/** The position that a cursor names; null when it isn't ours for this list, these filters and these tenants. */
export function readCursor(cursor: string, keyset: Keyset, binding: CursorBinding): PagePosition | null {
  const position = openCursor(cursor, binding);
  if (position === null || position.length !== keyset.columns.length + 1) return null;
  const [direction, ...values] = position;
  if (!values.every((value) => value !== null)) return null;
  return { backwards: direction === 'back', values: values as string[] };
}

export interface Page<Row> {
  rows: Row[];
  /** Cursors for the pages beside this one; null where there is none. */
  next: string | null;
  previous: string | null;
}

/** Cuts the one row that was read too many, puts the rows in the list's order, and seals the ways on and back. */
export function takePage<Row extends { position: string[] }>(
  read: readonly Row[],
  size: number,
  position: PagePosition | null,
  binding: CursorBinding,
): Page<Row> {
  const backwards = position?.backwards ?? false;
  const more = read.length > size;
  const rows = read.slice(0, size);
  if (backwards) rows.reverse();
  const seal = (row: Row | undefined, direction: 'on' | 'back') =>
    row === undefined ? null : sealCursor([direction, ...row.position], binding);
  const hasNext = backwards || more;
  const hasPrevious = backwards ? more : position !== null;
  return {
    rows,
    next: hasNext ? seal(rows.at(-1), 'on') : null,
    previous: hasPrevious ? seal(rows[0], 'back') : null,
  };
}
