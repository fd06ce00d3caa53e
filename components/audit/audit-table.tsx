'use client';

import { useTranslations } from 'next-intl';
import { useMemo, type ReactNode } from 'react';
import { isReadableBody } from '@/lib/domain/audit-body';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { readAuditEvent } from '@/lib/domain/audit-told';
import { visibleText } from '@/lib/domain/visible-text';
import { DataTable } from '../data-table/data-table';
import { RowLink } from '../data-table/row-link';
import { type TableColumn } from '../data-table/table-column';
import { PersonTag } from '../person/person-tag';
import { KeyText } from '../text/key-text';
import { Instant } from '../time/instant';
import { AuditActor } from './audit-actor';
import { EventName } from './event-name';
import { useMemberWords } from './member-words';
import { OutcomeBadge } from './outcome-badge';
import { Summary } from './summary';

interface AuditTableProps {
  rows: readonly AuditRecord[];
  /** People by their ids. */
  names: Readonly<Record<string, string>>;
  me: string;
  defaultSort: string;
  empty: ReactNode;
}

/** The audit as a list, one event per row, in order of number. */
export function AuditTable({ rows, names, me, defaultSort, empty }: AuditTableProps) {
  const t = useTranslations('audit');
  const columns = useMemo<TableColumn<AuditRecord>[]>(
    () => [
      {
        id: 'number',
        title: t('column.number'),
        sortBy: 'number',
        width: 'w-20',
        align: 'end',
        card: 'end',
        cell: (row) => <span className="tabular text-ink-muted">{row.number}</span>,
      },
      {
        id: 'time',
        title: t('column.time'),
        width: 'w-52',
        card: 'full',
        cell: (row) => <Instant at={row.occurredAt} look="full" className="tabular whitespace-nowrap" />,
      },
      {
        id: 'event',
        title: t('column.event'),
        width: 'w-60',
        card: 'start',
        cell: (row) => (
          <RowLink href={`/audit/${row.number}`}>
            <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
              <span className="font-medium">
                <EventName event={row.event} />
              </span>
              {row.outcome !== 'done' && <OutcomeBadge event={row} />}
            </span>
          </RowLink>
        ),
      },
      {
        id: 'actor',
        title: t('column.actor'),
        width: 'w-40',
        card: 'half',
        cell: (row) => <AuditActor kind={row.actorKind} id={row.actorId} name={row.actorName} me={me} />,
      },
      {
        id: 'subject',
        title: t('column.subject'),
        width: 'w-40',
        from: 'lg',
        card: 'half',
        cell: (row) =>
          row.operation === null ? (
            <Whom row={row} names={names} me={me} />
          ) : (
            <KeyText value={row.operation} />
          ),
      },
      {
        id: 'words',
        title: t('column.words'),
        from: 'lg',
        card: 'full',
        cell: (row) => <Words row={row} names={names} />,
      },
    ],
    [t, me, names],
  );
  return (
    <DataTable
      caption={t('caption')}
      columns={columns}
      rows={rows}
      rowId={(row) => row.eventId}
      defaultSort={defaultSort}
      empty={empty}
    />
  );
}

/** The person that an act is about; a dash where it is about none. */
function Whom({ row, names, me }: { row: AuditRecord } & Pick<AuditTableProps, 'names' | 'me'>) {
  const personId = readAuditEvent(row).details.find(({ name }) => name === 'personId')?.values[0];
  const displayName = personId === undefined || !Object.hasOwn(names, personId) ? undefined : names[personId];
  if (personId === undefined || displayName === undefined) return '–';
  return <PersonTag person={{ personId, displayName }} me={me} />;
}

function Words({ row, names }: { row: AuditRecord } & Pick<AuditTableProps, 'names'>) {
  const t = useTranslations('audit');
  const { told } = useMemberWords();
  if (!isReadableBody(row.body)) return <span className="text-danger">{t('unreadableEvent')}</span>;
  return (
    <span className="line-clamp-2 text-ink-muted">
      <Summary
        event={row}
        names={names}
        lead={
          row.refusalCode === null
            ? null
            : t('refusedAs', { reason: visibleText(told('refusalCode', [row.refusalCode])) })
        }
      />
    </span>
  );
}
