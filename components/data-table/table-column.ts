import { type ReactNode } from 'react';

/** One column of a list. Define the array once per language (`useMemo`), never in the render itself. */
export interface TableColumn<Row> {
  id: string;
  /** Words of the head; on a phone, the label beside the value. */
  title: string;
  /** The head's words are for screen readers: what stands below needs none. */
  bareHead?: boolean;
  cell: (row: Row) => ReactNode;
  /** The name of the order in the address that this column's head toggles. */
  sortBy?: string;
  align?: 'end';
  /** Tailwind width of the column on a desk screen: `w-40`. */
  width?: string;
  /** The least screen on which a column of lesser weight shows. Cards show every column. */
  from?: 'lg' | 'xl' | '2xl' | 'never';
  /** Where a phone's card puts it: a corner, the whole width, one of two halves with its title, or beside all of it. */
  card: 'start' | 'end' | 'full' | 'half' | 'hidden' | 'mark';
  /** Its place among a card’s halves, where a table’s order is another. */
  cardOrder?: number;
}
