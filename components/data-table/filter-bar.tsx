import { type ReactNode } from 'react';

interface FilterBarProps {
  search: ReactNode;
  /** `FilterMenu`s. On a phone they scroll sideways in one row. */
  children: ReactNode;
  /** The orders by name; on a phone the last of the row, where there are no column heads. */
  sort: ReactNode;
  clear: ReactNode;
}

/** Everything that narrows or orders a list, above its rows. */
export function FilterBar({ search, children, sort, clear }: FilterBarProps) {
  return (
    <div className="border-b border-line px-4 pb-3 md:px-6">
      <div className="flex flex-wrap items-center gap-2">
        {search}
        <div className="flex items-center gap-2 max-md:relative max-md:-mx-4 max-md:max-w-dvw max-md:overflow-x-auto max-md:px-4 md:contents">
          {children}
          <div className="md:order-last md:ml-auto">{sort}</div>
        </div>
        {clear}
      </div>
    </div>
  );
}
