'use client';

import { useTranslations } from 'next-intl';
import { useMemo, type ReactNode } from 'react';
import { type Amount } from '@/lib/domain/amount';
import { type ExceptionRow } from '@/lib/domain/exception-row';
import { type QueueColumn } from '@/lib/domain/queue-columns';
import { SelectMark } from '../bulk/selection';
import { DataTable } from '../data-table/data-table';
import { RowLink } from '../data-table/row-link';
import { type TableColumn } from '../data-table/table-column';
import { AmountText } from '../execution/amount-text';
import { OperationAndKey } from '../execution/operation-and-key';
import { StateBadge } from '../execution/state-badge';
import { PersonTag } from '../person/person-tag';
import { VisibleText } from '../text/visible-text';
import { Age } from '../time/age';
import { Instant } from '../time/instant';
import { arrangedColumns } from './arranged-columns';
import { DueMark } from './due-mark';
import { KindBadge } from './kind-badge';
import { NextStepText } from './next-step-text';
import { SeverityMark } from './severity-mark';

interface ExceptionsTableProps {
  rows: readonly ExceptionRow[];
  /** The reader, to say "You". */
  me: string;
  /** Names each row's tenant: for readers of several. */
  showTenant: boolean;
  defaultSort: string;
  /** Rows can be selected: for people who may act on them. Needs `<SelectionProvider>` around it. */
  selectable: boolean;
  /** Rows that a newer reading has no more: they keep their place and say so. */
  gone?: ReadonlySet<string>;
  /** The reader's own choice; null: the default. */
  chosen?: readonly QueueColumn[] | null;
  /** The one that stands open beside the list, which then has less room. */
  openId?: string | null;
  empty: ReactNode;
}

const NONE: ReadonlySet<string> = new Set();

/** What is shown of a row while it stands beside an exception. */
const BESIDE: ReadonlySet<string> = new Set(['select', 'kind', 'work', 'due']);

/** The queue's rows: how pressing, what about, which work, and what leads on. */
export function ExceptionsTable({
  rows,
  me,
  showTenant,
  defaultSort,
  selectable,
  gone = NONE,
  chosen = null,
  openId = null,
  empty,
}: ExceptionsTableProps) {
  const t = useTranslations('queue');
  const all = useMemo<readonly TableColumn<ExceptionRow>[]>(
    () => [
      ...(selectable ? [selectColumn(t('bulk.column'))] : []),
      {
        id: 'severity',
        title: t('column.severity'),
        sortBy: 'severity',
        width: 'w-25',
        card: 'end',
        cell: (row) => <SeverityMark severity={row.severity} />,
      },
      {
        id: 'kind',
        title: t('column.kind'),
        width: 'w-39',
        card: 'start',
        cell: (row) => (
          <span className="flex flex-col items-start">
            <KindBadge kind={row.kind} className="font-medium" />
            {gone.has(row.exceptionId) && (
              <span className="pl-5 text-xs text-ink-faint">{t('live.gone')}</span>
            )}
            {showTenant && (
              <span className="pl-5 text-xs text-ink-faint">
                <VisibleText text={row.tenantName} />
              </span>
            )}
          </span>
        ),
      },
      {
        id: 'work',
        title: t('column.work'),
        card: 'full',
        cell: (row) => (
          <RowLink href={`/exceptions/${row.exceptionId}`} current={row.exceptionId === openId}>
            <OperationAndKey
              operation={row.operation}
              idempotencyKey={row.idempotencyKey}
              withoutKey={t('row.noExecution')}
              aside={row.amount !== null && <AsideAmount amount={row.amount} />}
            />
          </RowLink>
        ),
      },
      {
        id: 'state',
        title: t('column.state'),
        width: 'w-36',
        from: 'xl',
        card: 'half',
        cell: (row) => <StateSince row={row} />,
      },
      {
        id: 'amount',
        title: t('column.amount'),
        width: 'w-28',
        align: 'end',
        from: '2xl',
        card: 'half',
        cell: (row) =>
          row.amount === null ? <Absent says={t('row.noAmount')} /> : <AmountText amount={row.amount} />,
      },
      {
        id: 'age',
        title: t('column.age'),
        sortBy: 'opened',
        width: 'w-19',
        from: 'lg',
        card: 'half',
        cell: (row) => (
          <Age
            since={row.openedAt}
            until={row.closedAt}
            className="tabular whitespace-nowrap text-ink-muted"
          />
        ),
      },
      {
        id: 'due',
        title: t('column.due'),
        sortBy: 'due',
        width: 'w-30',
        card: 'half',
        cell: (row) => (row.state === 'OPEN' ? <DueMark at={row.dueAt} /> : <Absent says={t('row.noDue')} />),
      },
      {
        id: 'assignee',
        title: t('column.assignee'),
        width: 'w-30',
        from: 'xl',
        card: 'half',
        cell: (row) => <PersonTag person={row.assignee} me={me} />,
      },
      {
        id: 'next',
        title: t('column.next'),
        width: 'w-40',
        card: 'half',
        cell: (row) => (
          <span className="text-pretty">
            <NextStepText step={row.nextStep} />
            {row.nextStep === 'WAIT_UNTIL' && row.deferredUntil !== null && (
              <Instant at={row.deferredUntil} className="block text-xs text-ink-faint" />
            )}
          </span>
        ),
      },
    ],
    [t, me, showTenant, selectable, gone, openId],
  );
  const columns = useMemo(
    () => (openId === null ? arrangedColumns(all, chosen) : all.filter((column) => BESIDE.has(column.id))),
    [all, openId, chosen],
  );
  return (
    <DataTable
      caption={t('caption')}
      columns={columns}
      rows={rows}
      rowId={(row) => row.exceptionId}
      scrolls={openId === null && chosen !== null}
      defaultSort={defaultSort}
      empty={empty}
    />
  );
}

const selectColumn = (title: string): TableColumn<ExceptionRow> => ({
  id: 'select',
  title,
  bareHead: true,
  width: 'w-12',
  card: 'mark',
  cell: (row) => <SelectMark row={row} />,
});

/** The amount again, for screens on which its column does not fit. */
function AsideAmount({ amount }: { amount: Amount }) {
  return (
    <span className="text-xs font-normal text-ink-muted group-data-[density=compact]/table:hidden max-md:hidden 2xl:hidden">
      <AmountText amount={amount} />
    </span>
  );
}

function StateSince({ row }: { row: ExceptionRow }) {
  const t = useTranslations('queue.row');
  if (row.execution === null) return <Absent says={t('noExecution')} />;
  return (
    <span className="flex flex-col items-start gap-0.5">
      <StateBadge state={row.execution.state} />
      <span className="text-xs text-ink-faint group-data-[density=compact]/table:md:hidden">
        <Instant at={row.execution.stateSince} look="ago" />
      </span>
    </span>
  );
}

function Absent({ says }: { says: string }) {
  return (
    <span title={says} className="text-ink-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">{says}</span>
    </span>
  );
}
