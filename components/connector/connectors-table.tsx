'use client';

import { useTranslations } from 'next-intl';
import { useMemo, type ReactNode } from 'react';
import { type ConnectorRow } from '@/lib/domain/connector-view';
import { DataTable } from '../data-table/data-table';
import { RowLink } from '../data-table/row-link';
import { type TableColumn } from '../data-table/table-column';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { ConnectorStateBadge } from './connector-state';

/** The connectors that an administrator sees, one line each. */
export function ConnectorsTable({ rows, empty }: { rows: readonly ConnectorRow[]; empty: ReactNode }) {
  const t = useTranslations('connectors');
  const columns = useMemo<readonly TableColumn<ConnectorRow>[]>(
    () => [
      {
        id: 'name',
        title: t('column.name'),
        card: 'start',
        cell: (row) => (
          <RowLink href={`/admin/connectors/${row.connectorId}`}>
            <span className="flex min-w-0 flex-col">
              <span className="truncate font-medium">{row.connectorId}</span>
              {row.waiting && <span className="text-xs text-caution">{t('waitingMark')}</span>}
              <span className="sr-only">{t('open', { name: row.connectorId })}</span>
            </span>
          </RowLink>
        ),
      },
      {
        id: 'system',
        title: t('column.system'),
        width: 'w-32',
        card: 'half',
        cell: (row) => <VisibleText text={row.system} />,
      },
      {
        id: 'address',
        title: t('column.address'),
        width: 'w-72',
        from: 'lg',
        card: 'full',
        cell: (row) => <VisibleText text={row.baseUrl} className="font-mono text-xs" />,
      },
      {
        id: 'tenant',
        title: t('column.tenant'),
        width: 'w-36',
        card: 'half',
        cell: (row) => (row.tenantName === null ? t('everyTenant') : <VisibleText text={row.tenantName} />),
      },
      {
        id: 'updated',
        title: t('column.updated'),
        width: 'w-32',
        from: 'xl',
        card: 'half',
        cell: (row) => <Instant at={row.updatedAt} look="ago" className="text-ink-muted" />,
      },
      {
        id: 'state',
        title: t('column.state'),
        width: 'w-32',
        card: 'end',
        cell: (row) => <ConnectorStateBadge version={row.version} retired={row.retired} />,
      },
    ],
    [t],
  );
  return (
    <DataTable
      caption={t('caption')}
      columns={columns}
      rows={rows}
      rowId={(row) => row.connectorId}
      defaultSort="name"
      empty={empty}
    />
  );
}
