/** The queue's columns in the order in which everybody sees them who has chosen nothing. */
export const QUEUE_COLUMNS = [
  'severity',
  'kind',
  'work',
  'state',
  'amount',
  'age',
  'due',
  'assignee',
  'next',
] as const;

export type QueueColumn = (typeof QUEUE_COLUMNS)[number];

/** What a row is about and where it leads: never hidden. */
const LASTING: readonly QueueColumn[] = ['kind', 'work'];

export const isLasting = (column: QueueColumn): boolean => LASTING.includes(column);

/** Whether a choice can be kept: each column once, and those that are never hidden among them. */
export const isColumnChoice = (columns: readonly QueueColumn[]): boolean =>
  new Set(columns).size === columns.length && LASTING.every((column) => columns.includes(column));

export const isDefaultChoice = (columns: readonly QueueColumn[]): boolean =>
  columns.length === QUEUE_COLUMNS.length &&
  columns.every((column, place) => column === QUEUE_COLUMNS[place]);

/** One column moved by one place; the same list where it stands at the end already. */
export function movedColumn(
  columns: readonly QueueColumn[],
  column: QueueColumn,
  by: -1 | 1,
): readonly QueueColumn[] {
  const from = columns.indexOf(column);
  const to = from + by;
  if (from < 0 || to < 0 || to >= columns.length) return columns;
  const rest = columns.filter((each) => each !== column);
  return [...rest.slice(0, to), column, ...rest.slice(to)];
}
