'use client';

import { CircleCheck, CircleDashed, CircleX, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type JobRow } from '@/lib/domain/bulk-job';
import { useRefusalText } from '../decision/refusal-text';
import { KindBadge } from '../exception/kind-badge';
import { OperationAndKey } from '../execution/operation-and-key';
import { Badge } from '../ui/badge';
import { Cell, HeadCell, Table } from '../ui/table';

/** Rows of a bulk job with what became of each. */
export function JobRows({ rows }: { rows: readonly JobRow[] }) {
  const t = useTranslations('bulk');
  const tQueue = useTranslations('queue.bulk');
  if (rows.length === 0) return <p className="text-sm text-ink-muted">{t('rows.none')}</p>;
  return (
    <Table caption={t('rows.title')} wide>
      <thead>
        <tr>
          <HeadCell>{t('column.row')}</HeadCell>
          <HeadCell>{t('column.exception')}</HeadCell>
          <HeadCell>{t('column.outcome')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.rowNumber}>
            <Cell className="tabular">{row.rowNumber}</Cell>
            <Cell>
              <Link href={`/exceptions/${row.exceptionId}`} prefetch={false} className="hover:underline">
                <OperationAndKey
                  operation={row.operation}
                  idempotencyKey={row.key}
                  withoutKey={tQueue('withoutKey')}
                  aside={<KindBadge kind={row.kind} className="text-xs" />}
                />
              </Link>
            </Cell>
            <Cell>
              <Outcome row={row} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Outcome({ row }: { row: JobRow }) {
  const t = useTranslations('bulk.rows');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  switch (row.state) {
    case 'PENDING':
      return (
        <Badge icon={CircleDashed} look="plain" tone={row.foreseen === null ? 'quiet' : 'caution'}>
          {row.foreseen === null ? t('wait') : `${t('would')} ${refusalText(row.foreseen)}`}
        </Badge>
      );
    case 'DONE':
      return (
        <Badge icon={CircleCheck} look="plain" tone="confirmed">
          {t('done')}
        </Badge>
      );
    case 'REFUSED':
      return (
        <Badge icon={CircleX} look="plain" tone="danger">
          {t('refused')} {row.refusal !== null && refusalText(row.refusal)}
        </Badge>
      );
    case 'FAILED':
      return (
        <Badge icon={TriangleAlert} look="plain" tone="danger">
          {t('failed', { fault: row.fault ?? '' })}
        </Badge>
      );
    default: {
      const impossible: never = row.state;
      throw new Error(`bug: unknown row state ${String(impossible)}`);
    }
  }
}
