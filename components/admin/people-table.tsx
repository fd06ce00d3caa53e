'use client';

import { useTranslations } from 'next-intl';
import { useMemo, type ReactNode } from 'react';
import { type PersonRow } from '@/lib/domain/person-row';
import { visibleText } from '@/lib/domain/visible-text';
import { DataTable } from '../data-table/data-table';
import { RowLink } from '../data-table/row-link';
import { type TableColumn } from '../data-table/table-column';
import { useAuthorityName } from '../decision/authority-name';
import { PersonTag } from '../person/person-tag';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { PersonStateBadge } from './person-state';

/** Everybody of the reader's tenants, one line each. */
export function PeopleTable({
  rows,
  me,
  empty,
}: {
  rows: readonly PersonRow[];
  me: string;
  empty: ReactNode;
}) {
  const t = useTranslations('admin.people');
  const tRoles = useTranslations('common.roles');
  const authorityName = useAuthorityName();
  const columns = useMemo<readonly TableColumn<PersonRow>[]>(
    () => [
      {
        id: 'name',
        title: t('column.name'),
        card: 'start',
        cell: (row) => (
          <RowLink href={`/admin/people/${row.personId}`}>
            <span className="flex min-w-0 flex-col">
              <PersonTag person={row} me={me} />
              <VisibleText text={row.email} className="truncate pl-6.5 text-xs text-ink-muted" />
              <span className="sr-only">{t('open', { name: visibleText(row.displayName) })}</span>
            </span>
          </RowLink>
        ),
      },
      {
        id: 'roles',
        title: t('column.roles'),
        width: 'w-52',
        card: 'half',
        cell: (row) => (
          <span className="flex flex-col">
            <span>{row.roles.map((role) => tRoles(role)).join(' · ') || t('noRoles')}</span>
            {row.waiting && <span className="text-xs text-caution">{t('waiting')}</span>}
          </span>
        ),
      },
      {
        id: 'authorities',
        title: t('column.authorities'),
        width: 'w-40',
        from: 'xl',
        card: 'half',
        cell: (row) => row.authorities.map(authorityName).join(' · ') || '–',
      },
      {
        id: 'tenants',
        title: t('column.tenants'),
        width: 'w-40',
        from: 'lg',
        card: 'half',
        cell: (row) => <VisibleText text={row.tenants.map(({ displayName }) => displayName).join(' · ')} />,
      },
      {
        id: 'seen',
        title: t('column.lastSeen'),
        width: 'w-32',
        from: 'lg',
        card: 'half',
        cell: (row) =>
          row.lastSeenAt === null ? (
            <span className="text-ink-faint">{t('never')}</span>
          ) : (
            <Instant at={row.lastSeenAt} look="ago" className="text-ink-muted" />
          ),
      },
      {
        id: 'state',
        title: t('column.state'),
        width: 'w-32',
        card: 'end',
        cell: (row) => <PersonStateBadge state={row.state} />,
      },
    ],
    [t, tRoles, authorityName, me],
  );
  return (
    <DataTable
      caption={t('caption')}
      columns={columns}
      rows={rows}
      rowId={(row) => row.personId}
      defaultSort="name"
      empty={empty}
    />
  );
}
