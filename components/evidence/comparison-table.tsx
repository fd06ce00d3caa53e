import { Check, CircleHelp, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type FieldComparison } from '@/lib/domain/compare-content';
import { VisibleText } from '../text/visible-text';
import { classNames } from '../ui/class-names';
import { Cell, HeadCell, Table } from '../ui/table';

/** What was asked for beside what was found, field by field, each with its verdict in words. */
export function ComparisonTable({ lines }: { lines: readonly FieldComparison[] }) {
  const t = useTranslations('lookup.compare');
  if (lines.length === 0) return null;
  return (
    <Table caption={t('caption')}>
      <thead>
        <tr>
          <HeadCell>{t('field')}</HeadCell>
          <HeadCell>{t('asked')}</HeadCell>
          <HeadCell>{t('found')}</HeadCell>
          <HeadCell className="w-28" />
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.field}>
            <Cell className="py-1.5 text-ink-muted">
              {line.field === 'account' ? t('account') : <VisibleText text={line.field} />}
            </Cell>
            <Cell className="py-1.5">
              <Found value={line.expected} />
            </Cell>
            <Cell className={classNames('py-1.5', line.agrees === false && 'font-medium text-danger')}>
              <Found value={line.found} />
            </Cell>
            <Cell className="py-1.5">
              <Agreement agrees={line.agrees} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Found({ value }: { value: string | null }) {
  const t = useTranslations('lookup.compare');
  return value === null ? (
    <span className="text-ink-faint">{t('nothing')}</span>
  ) : (
    <VisibleText text={value} className="tabular" />
  );
}

const LOOK = {
  agrees: { icon: Check, tone: 'text-confirmed' },
  differs: { icon: X, tone: 'text-danger' },
  unknown: { icon: CircleHelp, tone: 'text-caution' },
} as const;

/** Agrees, differs, or could not be compared, which is never agreement. */
export function Agreement({ agrees }: { agrees: boolean | null }) {
  const t = useTranslations('lookup.compare');
  const word = agrees === null ? 'unknown' : agrees ? 'agrees' : 'differs';
  const { icon: Icon, tone } = LOOK[word];
  return (
    <span className={classNames('inline-flex items-center gap-1 text-xs whitespace-nowrap', tone)}>
      <Icon aria-hidden className="size-3.5" />
      {t(word)}
    </span>
  );
}
