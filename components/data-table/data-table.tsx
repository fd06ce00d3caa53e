'use client';

import {
  createColumnHelper,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type SortingState,
} from '@tanstack/react-table';
import { useTranslations } from 'next-intl';
import { useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { classNames } from '../ui/class-names';
import { DataRow } from './data-row';
import { HeadSort } from './head-sort';
import { rowAfterKey } from './row-keys';
import { useRowFocus } from './use-row-focus';
import { readSortOrder, writeSortOrder } from './sort-order';
import { useDensityParameter, useIsReading, useSortParameter } from './table-address';
import { COLUMN_FROM, leastWidth } from './table-look';
import { type TableColumn } from './table-column';

const features = tableFeatures({ rowSortingFeature });

interface DataTableProps<Row extends object> {
  /** Accessible name. */
  caption: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  /** The row's own id: positions change, ids do not. */
  rowId: (row: Row) => string;
  /** Its columns are somebody's choice: it scrolls sideways where they need more room than there is. */
  scrolls?: boolean;
  /** The order that holds when the address names none. */
  defaultSort: string;
  /** Shown instead of rows when there are none. Never pass a failure here. */
  empty: ReactNode;
}

/**
 * A list that the server sorts, filters and pages; needs `<TableAddress>` around it. One link per row (`RowLink`) is the
 * keyboard's stop: arrows or j and k move between rows, Enter opens. On a phone each row is a card.
 */
export function DataTable<Row extends object>({
  caption,
  columns,
  rows,
  rowId,
  scrolls = false,
  defaultSort,
  empty,
}: DataTableProps<Row>) {
  const t = useTranslations('common.table');
  const [density] = useDensityParameter();
  const [sort, setSort] = useSortParameter(defaultSort);
  const reading = useIsReading();
  const body = useRef<HTMLTableSectionElement>(null);
  const rememberOpened = useRowFocus(body);
  const sorting = useMemo<SortingState>(() => {
    const { by, descending } = readSortOrder(sort);
    return [{ id: by, desc: descending }];
  }, [sort]);
  const byId = useMemo(
    () => new Map(columns.map((column) => [column.sortBy ?? column.id, column])),
    [columns],
  );
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return columns.map((column) =>
      helper.accessor((): unknown => null, {
        // Sorting state names columns by id: a sortable one bears the name of its order.
        id: column.sortBy ?? column.id,
        header: column.title,
        enableSorting: column.sortBy !== undefined,
        cell: ({ row }) => column.cell(row.original),
      }),
    );
  }, [columns]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowId,
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    sortDescFirst: false,
    state: { sorting },
    onSortingChange: (change) => {
      const [next] = typeof change === 'function' ? change(sorting) : change;
      if (next !== undefined) setSort(writeSortOrder({ by: next.id, descending: next.desc }));
    },
  });
  const moveBetweenRows = (event: KeyboardEvent<HTMLTableSectionElement>) => {
    // Letters come to the page's keys, which can be switched off.
    if (event.altKey || event.ctrlKey || event.metaKey || event.key.length === 1) return;
    const links = [...(body.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
    const present = links.findIndex((link) => link === event.target);
    const next = present < 0 ? null : rowAfterKey(event.key, present, links.length);
    if (next === null) return;
    event.preventDefault();
    links[next]?.focus();
  };
  return (
    <div data-frame className="relative flex min-h-0 flex-1 flex-col">
      {reading && (
        <span aria-hidden className="absolute inset-x-0 top-0 z-20 h-0.5 animate-pulse-soft bg-accent" />
      )}
      <div data-frame className="relative min-h-0 flex-1 md:overflow-auto">
        <table
          role="table"
          aria-busy={reading}
          data-density={density}
          // React's style type knows no custom properties.
          style={scrolls ? ({ '--least': leastWidth(columns) } as object) : undefined}
          className={classNames(
            'group/table w-full border-separate border-spacing-0 text-sm max-md:block md:table-fixed',
            reading && 'opacity-60',
            scrolls && 'md:min-w-(--least)',
          )}
        >
          <caption className="sr-only">
            {caption}. {t('rowKeys')}
          </caption>
          <thead role="rowgroup" className="max-md:sr-only">
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id} role="row">
                {group.headers.map((header) => {
                  const column = byId.get(header.column.id);
                  return (
                    <HeadSort
                      key={header.id}
                      title={column?.title ?? ''}
                      bare={column?.bareHead ?? false}
                      sorted={header.column.getIsSorted()}
                      {...(header.column.getCanSort()
                        ? { onToggle: () => header.column.toggleSorting(undefined, false) }
                        : {})}
                      className={classNames(
                        column?.width,
                        column?.align === 'end' && 'text-right',
                        column?.from && COLUMN_FROM[column.from],
                      )}
                    />
                  );
                })}
              </tr>
            ))}
          </thead>
          <tbody
            ref={body}
            role="rowgroup"
            onKeyDown={moveBetweenRows}
            onClickCapture={rememberOpened}
            className="max-md:block"
          >
            {table.getRowModel().rows.map((row) => (
              <DataRow key={row.id} row={row.original} columns={columns} />
            ))}
          </tbody>
        </table>
        {rows.length === 0 && empty}
      </div>
    </div>
  );
}
