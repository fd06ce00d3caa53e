import { expect, it } from 'vitest';
import { isDefaultChoice, movedColumn, QUEUE_COLUMNS } from '@/lib/domain/queue-columns';
import { type TableColumn } from '../data-table/table-column';
import { arrangedColumns } from './arranged-columns';

const column = (id: string, part: Partial<TableColumn<object>> = {}): TableColumn<object> => ({
  ...{ id, title: id, card: 'half', cell: () => null },
  ...part,
});
const ALL = [
  column('select', { card: 'mark' }),
  column('severity', { card: 'end' }),
  column('kind', { card: 'start' }),
  column('work', { card: 'full' }),
  column('amount', { from: '2xl' }),
  column('due'),
];

it('R-053o nothing chosen leaves the table as it is', () => {
  expect(arrangedColumns(ALL, null)).toBe(ALL);
});

it('R-053o what was chosen shows on every screen in its order, and cards stay as they are', () => {
  const arranged = arrangedColumns(ALL, ['kind', 'due', 'work', 'amount']);
  expect(arranged.map(({ id, from }) => [id, from])).toEqual([
    ['select', undefined],
    ['kind', undefined],
    ['due', undefined],
    ['work', undefined],
    ['amount', undefined],
    ['severity', 'never'],
  ]);
  const halves = arranged.filter(({ card }) => card === 'half');
  const onCards = [...halves].sort((one, other) => (one.cardOrder ?? 0) - (other.cardOrder ?? 0));
  expect(onCards.map(({ id }) => id)).toEqual(['amount', 'due']);
});

it('R-053o a column moves by one place and stays at the ends', () => {
  expect(movedColumn(['kind', 'work', 'due'], 'due', -1)).toEqual(['kind', 'due', 'work']);
  expect(movedColumn(['kind', 'work', 'due'], 'kind', 1)).toEqual(['work', 'kind', 'due']);
  expect(movedColumn(['kind', 'work', 'due'], 'kind', -1)).toEqual(['kind', 'work', 'due']);
  expect(movedColumn(['kind', 'work', 'due'], 'due', 1)).toEqual(['kind', 'work', 'due']);
  expect(isDefaultChoice(movedColumn(QUEUE_COLUMNS, 'due', 1))).toBe(false);
  expect(isDefaultChoice([...QUEUE_COLUMNS])).toBe(true);
});
