import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReportRowView } from '@/lib/domain/incident-view';
import { type Messages } from '@/lib/domain/messages/catalogue';
import { placeholderLabel } from '@/lib/domain/placeholder-label';
import { Instant } from '../time/instant';
import { VisibleText } from '../text/visible-text';
import { Cell, HeadCell, Table } from '../ui/table';

/** Rows of the report with their verdicts and, once it is carried out, what became of each. */
export function ReportRows({ rows }: { rows: readonly ReportRowView[] }) {
  const t = useTranslations('incidents');
  return (
    <Table caption={t('rows')} wide>
      <thead>
        <tr>
          <HeadCell>{t('row.number')}</HeadCell>
          <HeadCell>{t('row.verdict')}</HeadCell>
          <HeadCell>{t('row.match')}</HeadCell>
          <HeadCell>{t('row.result')}</HeadCell>
          <HeadCell>{t('row.status')}</HeadCell>
          <HeadCell>{t('row.outcome')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.rowNumber}>
            <Cell className="tabular">{row.rowNumber}</Cell>
            <Cell>
              <Verdict row={row} />
            </Cell>
            <Cell>
              <Match row={row} />
            </Cell>
            <Cell>{row.resultId === null ? '–' : <VisibleText text={row.resultId} />}</Cell>
            <Cell className="min-w-24">
              {row.statusWord === null ? '–' : <VisibleText text={row.statusWord} />}
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

function Verdict({ row }: { row: ReportRowView }) {
  const t = useTranslations('incidents');
  const differing = row.comparison.filter(({ agrees }) => agrees === false);
  return (
    <>
      <span className="font-medium">{t(`verdict.${row.verdict}`)}</span>
      {row.reason !== null && (
        <span className="block text-xs text-ink-muted">{t(`reason.${row.reason}`)}</span>
      )}
      {row.verdict === 'MISMATCH' && (
        <span className="block text-xs text-ink-muted">
          {row.accountMatch === false && <>{t('accountDiffers')} </>}
          {differing.map(({ field, expected, found }) => (
            <VisibleText
              key={field}
              text={`${placeholderLabel(field)}: ${expected ?? '–'} ≠ ${found ?? '–'}`}
            />
          ))}
        </span>
      )}
    </>
  );
}

function Match({ row }: { row: ReportRowView }) {
  if (row.matchValue === null) return '–';
  const text = <VisibleText text={row.matchValue} />;
  return row.exceptionId === null ? (
    text
  ) : (
    <Link href={`/exceptions/${row.exceptionId}`} className="underline underline-offset-3">
      {text}
    </Link>
  );
}

function Outcome({ row }: { row: ReportRowView }) {
  const t = useTranslations('incidents');
  const tRefusal = useTranslations('audit.refusal');
  const isKnown = (code: string): code is keyof Messages['audit']['refusal'] =>
    tRefusal.has(code as keyof Messages['audit']['refusal']);
  if (row.setAside !== null) {
    const { error, failures, nextTryAt } = row.setAside;
    return (
      <>
        {t('setAside')}
        <span className="block text-xs text-ink-muted">
          {t.rich('setAsideUntil', {
            count: failures,
            error,
            time: () => <Instant at={nextTryAt} look="full" />,
          })}
        </span>
      </>
    );
  }
  if (row.outcome === null) return '–';
  const words = t(`outcome.${row.outcome}`);
  if (row.orphanId !== null)
    return (
      <Link href={`/exceptions/${row.orphanId}`} className="underline underline-offset-3">
        {words}
      </Link>
    );
  return (
    <>
      {words}
      {row.outcomeCode !== null && (
        <span className="block text-xs text-ink-muted">
          {isKnown(row.outcomeCode) ? tRefusal(row.outcomeCode) : row.outcomeCode}
        </span>
      )}
    </>
  );
}
