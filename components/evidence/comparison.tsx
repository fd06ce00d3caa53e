import { Check, CircleHelp, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type FieldComparison } from '@/lib/domain/compare-content';
import { placeholderLabel } from '@/lib/domain/placeholder-label';
import { VisibleText } from '../text/visible-text';
import { classNames } from '../ui/class-names';
import { Cell, HeadCell, Table } from '../ui/table';

/** What was asked for beside what was found: what differs as a table, what agrees in a few lines. */
export function Comparison({ lines }: { lines: readonly FieldComparison[] }) {
  const agreeing = lines.filter((line) => line.agrees === true);
  const others = lines.filter((line) => line.agrees !== true);
  return (
    <>
      {others.length > 0 && <OtherLines lines={others} />}
      {agreeing.length > 0 && <AgreeingLines lines={agreeing} />}
    </>
  );
}

function OtherLines({ lines }: { lines: readonly FieldComparison[] }) {
  const t = useTranslations('lookup.compare');
  return (
    <Table caption={t('caption')}>
      <thead>
        <tr>
          <HeadCell>{t('field')}</HeadCell>
          <HeadCell>{t('asked')}</HeadCell>
          <HeadCell>{t('found')}</HeadCell>
          <HeadCell>
            <span className="sr-only">{t('verdict')}</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.field}>
            <Cell className="whitespace-nowrap text-ink-muted">
              <FieldName field={line.field} />
            </Cell>
            <Cell>
              <Found value={line.expected} />
            </Cell>
            <Cell className={classNames(line.agrees === false && 'font-medium text-danger')}>
              <Found value={line.found} />
            </Cell>
            <Cell>
              <Agreement agrees={line.agrees} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Both sides say the same, so it is said once; where they are written differently, both are shown. */
function AgreeingLines({ lines }: { lines: readonly FieldComparison[] }) {
  const t = useTranslations('lookup.compare');
  return (
    <dl aria-label={t('agreeing')} className="flex flex-wrap gap-1.5 text-xs">
      {lines.map((line) => (
        <div
          key={line.field}
          className="inline-flex max-w-full min-w-0 items-center gap-1.5 rounded-sm bg-confirmed-soft px-2 py-0.5 ring-1 ring-confirmed-line ring-inset"
        >
          <dt className="inline-flex shrink-0 items-center gap-1 text-confirmed">
            <Check aria-hidden className="size-3" />
            <FieldName field={line.field} />
            <span className="sr-only">{t('agrees')}</span>
          </dt>
          <dd className="min-w-0">
            <Found value={line.expected} />
            {line.found !== line.expected && (
              <>
                {' ≈ '}
                <Found value={line.found} />
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FieldName({ field }: { field: string }) {
  const t = useTranslations('lookup.compare');
  if (field === 'account') return <>{t('account')}</>;
  return field === 'key' ? <>{t('key')}</> : <VisibleText text={placeholderLabel(field)} />;
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
