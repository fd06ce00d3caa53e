'use client';

import { useTranslations } from 'next-intl';
import { useMemo, type ReactNode } from 'react';
import { type RequestRow } from '@/lib/domain/request-view';
import { visibleText } from '@/lib/domain/visible-text';
import { DataTable } from '../data-table/data-table';
import { RowLink } from '../data-table/row-link';
import { type TableColumn } from '../data-table/table-column';
import { AmountText } from '../execution/amount-text';
import { OperationAndKey } from '../execution/operation-and-key';
import { PersonTag } from '../person/person-tag';
import { Countdown } from '../time/countdown';
import { Instant } from '../time/instant';
import { RequestKindBadge, RequestStateBadge } from './request-badges';

interface RequestsTableProps {
  rows: readonly RequestRow[];
  me: string;
  empty: ReactNode;
}

/** The order that the list has; the address can name no other. */
const ORDER = 'waiting';

/** Requests for a second person, one line each. */
export function RequestsTable({ rows, me, empty }: RequestsTableProps) {
  const t = useTranslations('approvals');
  const tRelation = useTranslations('glossary.relation');
  const columns = useMemo<readonly TableColumn<RequestRow>[]>(
    () => [
      {
        id: 'kind',
        title: t('column.kind'),
        width: 'w-48',
        card: 'start',
        cell: (row) => (
          <RowLink href={`/approvals/${row.requestId}`}>
            <span className="flex flex-col">
              <RequestKindBadge kind={row.kind} />
              {row.relation !== null && (
                <span className="pl-5 text-xs text-ink-muted">{tRelation(row.relation)}</span>
              )}
              <span className="sr-only">
                {t('row.open', { kind: t(`kind.${row.kind}`), operation: visibleText(row.operation) })}
              </span>
            </span>
          </RowLink>
        ),
      },
      {
        id: 'work',
        title: t('column.work'),
        card: 'full',
        cell: (row) => <OperationAndKey operation={row.operation} idempotencyKey={row.key} withoutKey="" />,
      },
      {
        id: 'amount',
        title: t('column.amount'),
        align: 'end',
        width: 'w-28',
        from: 'lg',
        card: 'half',
        cell: (row) =>
          row.amount === null ? (
            <span className="text-ink-faint" title={t('row.noAmount')}>
              –
            </span>
          ) : (
            <span className="flex flex-col items-end">
              <AmountText amount={row.amount} />
              {row.together && <span className="text-xs text-ink-muted">{t('row.together')}</span>}
            </span>
          ),
      },
      {
        id: 'by',
        title: t('column.requestedBy'),
        width: 'w-40',
        card: 'half',
        cell: (row) => (
          <PersonTag
            person={{ personId: row.requestedBy.id, displayName: row.requestedBy.name ?? row.requestedBy.id }}
            me={me}
          />
        ),
      },
      {
        id: 'requested',
        title: t('column.requested'),
        width: 'w-28',
        from: '2xl',
        card: 'half',
        cell: (row) => <Instant at={row.requestedAt} look="ago" className="text-ink-muted" />,
      },
      {
        id: 'limit',
        title: t('column.limit'),
        width: 'w-34',
        from: 'lg',
        card: 'half',
        cell: (row) => <Limit row={row} />,
      },
      {
        id: 'state',
        title: t('column.state'),
        width: 'w-44',
        card: 'end',
        cell: (row) => <RequestStateBadge state={row.state} />,
      },
    ],
    [t, tRelation, me],
  );
  return (
    <DataTable
      caption={t('caption')}
      columns={columns}
      rows={rows}
      rowId={(row) => row.requestId}
      defaultSort={ORDER}
      empty={empty}
    />
  );
}

function Limit({ row }: { row: RequestRow }) {
  const t = useTranslations('approvals.row');
  if (row.state === 'PENDING') return <Countdown named until={row.decideBy} className="whitespace-nowrap" />;
  if (row.state === 'APPROVED' && row.executeBy !== null)
    return <Countdown named until={row.executeBy} className="whitespace-nowrap" />;
  return (
    <span className="text-ink-muted">
      {t.rich('ended', { ago: () => <Instant at={row.stateSince} look="ago" /> })}
    </span>
  );
}
