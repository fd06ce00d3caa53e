import { useTranslations } from 'next-intl';
import { type IntakeView } from '@/lib/domain/exception-view';
import { KeyText } from '../text/key-text';
import { Instant } from '../time/instant';
import { Cell, HeadCell, Table } from '../ui/table';
import { DispositionBadge } from './disposition-badge';

/** Every arrival under the key, and what the ledger made of it. */
export function IntakesTable({ intakes }: { intakes: readonly IntakeView[] }) {
  const t = useTranslations('executions.detail');
  return (
    <Table wide caption={t('intakes')}>
      <thead>
        <tr>
          <HeadCell>{t('received')}</HeadCell>
          <HeadCell>{t('disposition')}</HeadCell>
          <HeadCell>{t('requestId')}</HeadCell>
          <HeadCell>{t('trace')}</HeadCell>
          <HeadCell>{t('contentVersion')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {intakes.map((intake) => (
          <tr key={intake.intakeId}>
            <Cell className="tabular min-w-26 text-xs text-ink-muted">
              <Instant at={intake.receivedAt} look="full" />
            </Cell>
            <Cell>
              <DispositionBadge disposition={intake.disposition} />
              <span className="block text-xs text-ink-faint">{t(`via.${intake.via}`)}</span>
            </Cell>
            <Id value={intake.requestId} />
            <Id value={intake.traceId} />
            <Id value={intake.contentVersion} />
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Id({ value }: { value: string | null }) {
  return <Cell className="max-w-44 text-xs">{value === null ? '–' : <KeyText value={value} cut />}</Cell>;
}
