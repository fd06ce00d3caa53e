import { useTranslations } from 'next-intl';
import {
  CONNECTOR_FIELDS,
  type ConnectorField,
  type ConnectorFieldKey,
  type FieldRow,
  type FieldValue,
} from '@/lib/domain/connector-form';
import { VisibleText } from '../text/visible-text';

/** One member of a recipe as people read it. */
export function ValueText({ fieldKey, value }: { fieldKey: ConnectorFieldKey; value: FieldValue }) {
  const t = useTranslations('connectors');
  const field: ConnectorField | undefined = CONNECTOR_FIELDS.find(({ key }) => key === fieldKey);
  if (typeof value === 'boolean') return <>{t(value ? 'yes' : 'no')}</>;
  if (typeof value === 'string') {
    if (value === '')
      return <span className="text-ink-faint">{t(field?.nullable === true ? 'forEver' : 'notSet')}</span>;
    return <VisibleText text={value.replaceAll('\n', ' · ')} className="font-mono text-xs" />;
  }
  if (value.length === 0) return <span className="text-ink-faint">{t('notSet')}</span>;
  return (
    <ul className="flex flex-col gap-1">
      {value.map((row, index) => (
        <li key={index}>{field?.kind === 'pairs' ? <Pair row={row} /> : <ComparedText row={row} />}</li>
      ))}
    </ul>
  );
}

function Pair({ row }: { row: FieldRow }) {
  return <VisibleText text={`${row['name'] ?? ''}: ${row['value'] ?? ''}`} className="font-mono text-xs" />;
}

/** One comparison, as a sentence. */
function ComparedText({ row }: { row: FieldRow }) {
  const t = useTranslations('connectors');
  return (
    <VisibleText
      text={t('contentLine', {
        expected: row['expected'] ?? '',
        pointer: row['pointer'] || '/',
        role: row['role'] ?? 'agrees',
        match: row['match'] ?? 'exact',
        tolerance: row['tolerance'] || '0',
        decimals: row['decimals'] === undefined || /^0?$/.test(row['decimals']) ? 'none' : row['decimals'],
        before: row['before'] || 'none',
      })}
    />
  );
}
