import { type TableColumn } from './table-column';

/** Columns of lesser weight wait for a wider screen; cards show all of them. */
export const COLUMN_FROM: Readonly<Record<NonNullable<TableColumn<never>['from']>, string>> = {
  lg: 'md:max-lg:hidden',
  xl: 'md:max-xl:hidden',
  '2xl': 'md:max-2xl:hidden',
  never: 'md:hidden',
};

/** Places on a phone's card, a grid of two columns. */
export const CARD_PLACE: Readonly<Record<TableColumn<never>['card'], string>> = {
  start: 'max-md:order-1',
  end: 'max-md:order-2 max-md:justify-self-end',
  full: 'max-md:order-3 max-md:col-span-2',
  half: 'max-md:order-4',
  hidden: 'max-md:hidden',
  mark: 'max-md:absolute max-md:top-1 max-md:left-1',
};

/** Rem of the room that a column without a width of its own needs at least. */
const LEAST = 14;

/** The least width of a table whose columns somebody chose: the widths of all, so that it scrolls before they cover each other. */
export function leastWidth(columns: readonly Pick<TableColumn<never>, 'width' | 'from'>[]): string {
  const rem = columns
    .filter(({ from }) => from !== 'never')
    // Tailwind's own steps: `w-25` is 25 quarters of a rem.
    .reduce(
      (sum, { width }) => sum + (width === undefined ? LEAST : Number(width.slice('w-'.length)) / 4),
      0,
    );
  return `${rem}rem`;
}
