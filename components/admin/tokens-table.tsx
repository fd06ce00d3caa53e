'use client';

import { CircleCheck, CircleSlash, Hourglass, Replace, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useMemo, type ReactNode } from 'react';
import { type TokenRow, type TokenState } from '@/lib/domain/token-row';
import { DataTable } from '../data-table/data-table';
import { type TableColumn } from '../data-table/table-column';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Badge } from '../ui/badge';
import { type Tone } from '../ui/tone';
import { TokenActs, type TokenActions } from './token-acts';

const LOOK: Readonly<Record<TokenState, { icon: LucideIcon; tone: Tone }>> = {
  VALID: { icon: CircleCheck, tone: 'confirmed' },
  REPLACED: { icon: Replace, tone: 'progress' },
  EXPIRED: { icon: Hourglass, tone: 'quiet' },
  REVOKED: { icon: CircleSlash, tone: 'quiet' },
};

interface TokensTableProps {
  rows: readonly TokenRow[];
  actions: TokenActions;
  empty: ReactNode;
}

/** The producer tokens, one line each; by their public beginnings, never their secrets. */
export function TokensTable({ rows, actions, empty }: TokensTableProps) {
  const t = useTranslations('admin.tokens');
  const columns = useMemo<readonly TableColumn<TokenRow>[]>(
    () => [
      {
        id: 'prefix',
        title: t('column.prefix'),
        width: 'w-40',
        card: 'start',
        cell: (row) => <code className="font-mono text-xs">{row.prefix}…</code>,
      },
      {
        id: 'principal',
        title: t('column.principal'),
        card: 'full',
        cell: (row) => (
          <span className="flex min-w-0 flex-col">
            <VisibleText text={row.principalId} className="truncate" />
            <VisibleText text={row.tenantName} className="truncate text-xs text-ink-muted" />
          </span>
        ),
      },
      {
        id: 'operations',
        title: t('column.operations'),
        width: 'w-44',
        from: 'xl',
        card: 'half',
        cell: (row) => (row.operations === null ? t('allOperations') : row.operations.join(', ')),
      },
      {
        id: 'created',
        title: t('column.created'),
        width: 'w-28',
        from: '2xl',
        card: 'half',
        cell: (row) => <Instant at={row.createdAt} look="ago" className="text-ink-muted" />,
      },
      {
        id: 'expires',
        title: t('column.expires'),
        width: 'w-32',
        from: 'lg',
        card: 'half',
        cell: (row) =>
          row.expiresAt === null ? (
            <span className="text-ink-muted">{t('expiryNever')}</span>
          ) : (
            <Instant at={row.expiresAt} />
          ),
      },
      {
        id: 'state',
        title: t('column.state'),
        width: 'w-36',
        card: 'end',
        cell: (row) => <Badge {...LOOK[row.state]}>{t(`state.${row.state}`)}</Badge>,
      },
      {
        id: 'acts',
        title: t('column.acts'),
        width: 'w-52',
        card: 'full',
        cell: (row) => <TokenActs token={row} actions={actions} />,
      },
    ],
    [t, actions],
  );
  return (
    <DataTable
      caption={t('caption')}
      columns={columns}
      rows={rows}
      rowId={(row) => row.tokenId}
      defaultSort="created"
      empty={empty}
    />
  );
}
