'use client';

import { useTranslations } from 'next-intl';
import { useMemo, type ReactNode } from 'react';
import { type ExecutionRow } from '@/lib/domain/execution-row';
import { DataTable } from '../data-table/data-table';
import { RowLink } from '../data-table/row-link';
import { type TableColumn } from '../data-table/table-column';
import { KeyText } from '../text/key-text';
import { Instant } from '../time/instant';
import { AmountText } from './amount-text';
import { ExecutionMarks } from './execution-marks';
import { OperationAndKey } from './operation-and-key';
import { StateBadge } from './state-badge';
import { TargetText } from './target-text';

interface ExecutionsTableProps {
  rows: readonly ExecutionRow[];
  defaultSort: string;
  empty: ReactNode;
}

/** The ledger's records: state, work, target, result. */
export function ExecutionsTable({ rows, defaultSort, empty }: ExecutionsTableProps) {
  const t = useTranslations('executions');
  const none = useTranslations('common.state')('none');
  const columns = useMemo<readonly TableColumn<ExecutionRow>[]>(
    () => [
      {
        id: 'state',
        title: t('column.state'),
        width: 'w-42',
        card: 'start',
        cell: (row) => (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <StateBadge state={row.state} />
            <ExecutionMarks {...row} />
          </span>
        ),
      },
      {
        id: 'work',
        title: t('column.work'),
        card: 'full',
        cell: (row) => (
          <RowLink href={`/executions/${row.executionId}`}>
            <OperationAndKey
              operation={row.operation}
              idempotencyKey={row.idempotencyKey}
              withoutKey=""
              aside={
                row.amount !== null && (
                  <span className="text-xs font-normal text-ink-muted">
                    <AmountText amount={row.amount} />
                  </span>
                )
              }
            />
          </RowLink>
        ),
      },
      {
        id: 'target',
        title: t('column.target'),
        width: 'w-36',
        from: 'xl',
        card: 'half',
        cell: (row) => <TargetText system={row.targetSystem} account={row.targetAccount} />,
      },
      {
        id: 'result',
        title: t('column.result'),
        width: 'w-40',
        from: 'lg',
        card: 'half',
        cell: (row) =>
          row.resultId === null ? (
            <span className="text-ink-faint">{none}</span>
          ) : (
            <span className="flex min-w-0 text-xs">
              <KeyText value={row.resultId} cut />
            </span>
          ),
      },
      {
        id: 'attempt',
        title: t('column.attempt'),
        width: 'w-18',
        align: 'end',
        from: 'xl',
        card: 'half',
        cell: (row) => <span className="tabular text-ink-muted">{row.attempt}</span>,
      },
      {
        id: 'intakes',
        title: t('column.intakes'),
        width: 'w-18',
        align: 'end',
        from: 'xl',
        card: 'half',
        cell: (row) => <span className="tabular text-ink-muted">{row.intakes}</span>,
      },
      {
        id: 'created',
        title: t('column.created'),
        sortBy: 'created',
        width: 'w-38',
        align: 'end',
        card: 'half',
        cell: (row) => <Instant at={row.createdAt} className="tabular whitespace-nowrap text-ink-muted" />,
      },
    ],
    [t, none],
  );
  return (
    <DataTable
      caption={t('caption')}
      columns={columns}
      rows={rows}
      rowId={(row) => row.executionId}
      defaultSort={defaultSort}
      empty={empty}
    />
  );
}
