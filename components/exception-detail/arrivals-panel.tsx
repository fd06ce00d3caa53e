import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { DispositionBadge } from '../execution/disposition-badge';
import { KeyText } from '../text/key-text';
import { Instant } from '../time/instant';
import { Panel } from '../ui/panel';
import { Cell, HeadCell, Table } from '../ui/table';

/** The arrivals of an exception that has no execution: without keys, or in conflict across an operation. */
export function ArrivalsPanel({ arrivals }: { arrivals: ExceptionView['arrivals'] }) {
  const t = useTranslations('exception.arrivals');
  const { shown, total } = arrivals;
  return (
    <Panel
      title={t('title')}
      aside={shown.length < total ? t('shown', { shown: shown.length, total }) : String(total)}
    >
      <Table wide caption={t('caption')}>
        <thead>
          <tr>
            <HeadCell>{t('received')}</HeadCell>
            <HeadCell>{t('requestId')}</HeadCell>
            <HeadCell>{t('key')}</HeadCell>
            <HeadCell>{t('disposition')}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {[...shown].reverse().map((intake) => (
            <tr key={intake.intakeId}>
              <Cell className="whitespace-nowrap">
                <Instant at={intake.receivedAt} look="full" />
              </Cell>
              <Cell>{intake.requestId === null ? '–' : <KeyText value={intake.requestId} />}</Cell>
              <Cell>
                {intake.key === null ? (
                  '–'
                ) : intake.executionId === null ? (
                  <KeyText value={intake.key} />
                ) : (
                  <Link
                    href={`/executions/${intake.executionId}`}
                    prefetch={false}
                    className="text-accent underline underline-offset-3"
                  >
                    <KeyText value={intake.key} />
                  </Link>
                )}
              </Cell>
              <Cell>
                <DispositionBadge disposition={intake.disposition} />
              </Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
