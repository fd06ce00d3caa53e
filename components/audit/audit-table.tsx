'use client';

import { useTranslations } from 'next-intl';
import { useMemo, type ReactNode } from 'react';
import { isReadableBody } from '@/lib/domain/audit-body';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { stakeIn, type AuditSubject } from '@/lib/domain/audit-shown';
import { readAuditEvent } from '@/lib/domain/audit-told';
import { visibleText } from '@/lib/domain/visible-text';
import { DataTable } from '../data-table/data-table';
import { RowLink } from '../data-table/row-link';
import { type TableColumn } from '../data-table/table-column';
import { AmountText } from '../execution/amount-text';
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
  /** Executions that the rows are about, by their ids. */
  subjects?: Readonly<Record<string, AuditSubject>>;
  me: string;
  defaultSort: string;
  empty: ReactNode;
}

const NOTHING: Readonly<Record<string, AuditSubject>> = {};

/** The audit as a list, one event per row, in order of number. */
export function AuditTable({ rows, names, subjects = NOTHING, me, defaultSort, empty }: AuditTableProps) {
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
                <EventName event={row} />
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
            <Work row={row} subject={subjects[row.executionId ?? '']} />
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
    [t, me, names, subjects],
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

/** The operation, with what tells its matters apart: the business reference or else the key, and the amount where one is told. */
function Work({ row, subject }: { row: AuditRecord; subject: AuditSubject | undefined }) {
  const amount = isReadableBody(row.body) ? stakeIn(row) : null;
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <KeyText value={row.operation ?? ''} />
      {(subject !== undefined || amount !== null) && (
        <span className="flex min-w-0 flex-wrap gap-x-2 text-xs text-ink-muted">
          {subject !== undefined && <KeyText cut value={subject.businessRef ?? subject.key} />}
          {amount !== null && <AmountText amount={amount} />}
        </span>
      )}
    </span>
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
