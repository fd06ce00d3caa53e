'use client';

import { useTranslations } from 'next-intl';
import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react';
import { type ExceptionRow } from '@/lib/domain/exception-row';
import { visibleText } from '@/lib/domain/visible-text';

interface Selection {
  /** Open rows of this page: settled ones take part in nothing. */
  readonly selectable: readonly ExceptionRow[];
  /** As the page shows them now; a row that has left the page is not selected any more. */
  readonly selected: readonly ExceptionRow[];
  readonly toggle: (exceptionId: string) => void;
  readonly set: (exceptionIds: readonly string[]) => void;
  readonly drop: (exceptionIds: readonly string[]) => void;
}

const SelectionContext = createContext<Selection | null>(null);

/** Which rows of the list an act is for. Kept while the list is read anew; gone with the page. */
export function SelectionProvider({
  rows,
  children,
}: {
  rows: readonly ExceptionRow[];
  children: ReactNode;
}) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (id: string) =>
      setIds((now) => new Set(now.has(id) ? [...now].filter((each) => each !== id) : [...now, id])),
    [],
  );
  const set = useCallback((next: readonly string[]) => setIds(new Set(next)), []);
  const drop = useCallback(
    (gone: readonly string[]) => setIds((now) => new Set([...now].filter((id) => !gone.includes(id)))),
    [],
  );
  const value = useMemo(() => {
    const selectable = rows.filter((row) => row.state === 'OPEN');
    return { selectable, selected: selectable.filter((row) => ids.has(row.exceptionId)), toggle, set, drop };
  }, [rows, ids, toggle, set, drop]);
  return <SelectionContext value={value}>{children}</SelectionContext>;
}

export function useSelection(): Selection {
  const selection = use(SelectionContext);
  if (selection === null) throw new Error('bug: a selection outside of <SelectionProvider>');
  return selection;
}

/** What a row is called where it stands alone: its operation and key. */
export const nameOfRow = ({
  operation,
  idempotencyKey,
}: Pick<ExceptionRow, 'operation' | 'idempotencyKey'>) =>
  visibleText([operation, idempotencyKey].filter((part) => part !== null).join(' '));

/** A row's checkbox; it lies above the link that covers the row. */
export function SelectMark({ row }: { row: ExceptionRow }) {
  const t = useTranslations('queue.bulk');
  const { selected, toggle } = useSelection();
  if (row.state !== 'OPEN') return null;
  return (
    <label className="relative z-1 -m-2 inline-flex size-9 items-center justify-center max-md:m-0 max-md:size-11">
      <input
        type="checkbox"
        aria-label={t('select', { what: nameOfRow(row) })}
        checked={selected.includes(row)}
        onChange={() => toggle(row.exceptionId)}
        className="size-4 accent-accent-strong"
      />
    </label>
  );
}
