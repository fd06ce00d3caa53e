'use client';

import { classNames } from '../ui/class-names';
import { CARD_PLACE, COLUMN_FROM } from './table-look';
import { type TableColumn } from './table-column';

/** One row; on a phone a card. Roles are spelled out because changing `display` takes a table's own away. */
export function DataRow<Row>({ row, columns }: { row: Row; columns: readonly TableColumn<Row>[] }) {
  return (
    <tr
      role="row"
      className={classNames(
        'group/row relative scroll-mt-10 hover:bg-hover has-[[data-row-link][aria-current]]:bg-selected has-[[data-row-link]:focus-visible]:bg-selected',
        'max-md:grid max-md:grid-cols-2 max-md:gap-x-4 max-md:gap-y-2 max-md:border-b max-md:border-line max-md:px-4 max-md:py-3',
        columns.some((column) => column.card === 'mark') && 'max-md:pl-12',
      )}
    >
      {columns.map((column) => (
        <td
          key={column.id}
          role="cell"
          style={column.cardOrder === undefined ? undefined : { order: column.cardOrder }}
          className={classNames(
            'min-w-0 align-middle md:border-b md:border-line md:px-2 md:first:pl-6 md:last:pr-6',
            'md:h-14 md:group-data-[density=compact]/table:h-9',
            column.align === 'end' && 'md:text-right',
            column.from !== undefined && COLUMN_FROM[column.from],
            CARD_PLACE[column.card],
          )}
        >
          {column.card === 'half' && (
            <span aria-hidden className="block text-2xs text-ink-faint md:hidden">
              {column.title}
            </span>
          )}
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}
