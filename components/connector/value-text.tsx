import { useTranslations } from 'next-intl';
import { EVERY_FIELD, type ConnectorFieldKey } from '@/lib/domain/connector-fields';
import { type FieldValue } from '@/lib/domain/connector-form';
import { type FieldRow } from '@/lib/domain/connector-rows';
import { QUOTINGS } from '@/lib/domain/search-phrase';
import { VisibleText } from '../text/visible-text';
import { useOptionText } from './use-option-text';

/** One member of a recipe as people read it. */
export function ValueText({ fieldKey, value }: { fieldKey: ConnectorFieldKey; value: FieldValue }) {
  const t = useTranslations('connectors');
  const optionText = useOptionText();
  const field = EVERY_FIELD.find(({ key }) => key === fieldKey);
  if (typeof value === 'boolean') return <>{t(value ? 'yes' : 'no')}</>;
  if (typeof value === 'string') {
    if (field?.kind === 'choice') return <>{optionText(fieldKey, value)}</>;
    if (value === '')
      return <span className="text-ink-faint">{t(field?.nullable === true ? 'forEver' : 'notSet')}</span>;
    return <VisibleText text={value.replaceAll('\n', ' · ')} className="font-mono text-xs" />;
  }
  if (value.length === 0) return <span className="text-ink-faint">{t('notSet')}</span>;
  return (
    <ul className="flex flex-col gap-1">
      {value.map((row, index) => (
        <li key={index}>
          <RowText fieldKey={fieldKey} row={row} />
        </li>
      ))}
    </ul>
  );
}

/** One line of a list; what no column shows stands behind it as it is. */
function RowText({ fieldKey, row }: { fieldKey: ConnectorFieldKey; row: FieldRow }) {
  const further = row['rest'] === undefined ? null : <Code text={` ${row['rest']}`} />;
  return (
    <>
      {fieldKey === 'content' ? (
        <ComparedText row={row} />
      ) : fieldKey === 'statusRules' ? (
        <RuleText row={row} />
      ) : (
        <PairText row={row} />
      )}
      {further}
    </>
  );
}

const Code = ({ text }: { text: string }) => <VisibleText text={text} className="font-mono text-xs" />;

function PairText({ row }: { row: FieldRow }) {
  const t = useTranslations('connectors.choice');
  const quoting = QUOTINGS.find((each) => each === row['quoting']);
  return (
    <>
      <Code text={`${row['name'] ?? ''}: ${row['value'] ?? ''}`} />
      {quoting !== undefined && <span className="text-xs text-ink-muted"> ({t(quoting)})</span>}
    </>
  );
}

/** One status rule, as a sentence. */
function RuleText({ row }: { row: FieldRow }) {
  const t = useTranslations('connectors');
  const { at = '', sees = 'is', seen = '', status = '', missing = 'stops' } = row;
  return <VisibleText text={t('ruleLine', { at: at || '/', sees, seen, status, missing })} />;
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
