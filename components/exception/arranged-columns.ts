import { type QueueColumn } from '@/lib/domain/queue-columns';
import { type TableColumn } from '../data-table/table-column';

/** Where a card's halves begin; corners and whole width come before them. */
const HALVES = 4;

/**
 * A table's columns as somebody chose them: those on every screen, in their order, after whatever is no choice. What was not
 * chosen stays on a phone's cards, which are as they are for everybody.
 */
export function arrangedColumns<Row>(
  all: readonly TableColumn<Row>[],
  chosen: readonly QueueColumn[] | null,
): readonly TableColumn<Row>[] {
  if (chosen === null) return all;
  const placed = all.map((column, place) =>
    column.card === 'half' ? { ...column, cardOrder: HALVES + place } : column,
  );
  // Widened: whether a name is among them is the question.
  const isChosen = ({ id }: { id: string }) => (chosen as readonly string[]).includes(id);
  const taken = chosen.flatMap((id) => placed.filter((column) => column.id === id));
  return [
    ...placed.filter(({ id }) => id === 'select'),
    ...taken.map(({ from: _everywhere, ...column }) => column),
    ...placed
      .filter((column) => column.id !== 'select' && !isChosen(column))
      .map((column) => ({ ...column, from: 'never' as const })),
  ];
}
