import { useTranslations } from 'next-intl';
import { draftOf, recipeDifference } from '@/lib/domain/connector-form';
import { type ConnectorContent } from '@/lib/domain/connector-view';
import { VisibleText } from '../text/visible-text';
import { Cell, HeadCell, Table } from '../ui/table';
import { useFieldWords } from './use-field-words';
import { ValueText } from './value-text';

interface RecipeDifferenceProps {
  /** Null: nothing was there before. */
  before: ConnectorContent | null;
  after: ConnectorContent;
}

/** What changes between two versions, member by member, with both sides in words: readable without colours. */
export function RecipeDifferenceTable({ before, after }: RecipeDifferenceProps) {
  const t = useTranslations('connectors');
  const wordsOf = useFieldWords(draftOf(after.recipe).values.kind);
  if (after.retired && before?.retired !== true) return <p>{t('difference.retires')}</p>;
  const differences = recipeDifference(before?.recipe ?? {}, after.recipe);
  const restores = before?.retired === true && !after.retired;
  if (differences.length === 0) return <p>{t(restores ? 'difference.restores' : 'difference.none')}</p>;
  return (
    <div className="flex flex-col gap-2">
      {restores && <p>{t('difference.restores')}</p>}
      <Table caption={t('difference.caption')}>
        <thead>
          <tr>
            <HeadCell>{t('difference.what')}</HeadCell>
            {before !== null && <HeadCell>{t('difference.before')}</HeadCell>}
            <HeadCell>{t('difference.after')}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {differences.map((each) =>
            'key' in each ? (
              <tr key={each.key}>
                <Cell className="text-xs text-ink-muted">{wordsOf(each.key).label}</Cell>
                {before !== null && (
                  <Cell className="[overflow-wrap:anywhere]">
                    <ValueText fieldKey={each.key} value={each.from} />
                  </Cell>
                )}
                <Cell className="[overflow-wrap:anywhere]">
                  <ValueText fieldKey={each.key} value={each.to} />
                </Cell>
              </tr>
            ) : (
              <tr key={each.member}>
                <Cell className="text-xs text-ink-muted">{each.member}</Cell>
                {before !== null && (
                  <Cell>
                    <VisibleText text={each.from} className="font-mono text-xs" />
                  </Cell>
                )}
                <Cell>
                  <VisibleText text={each.to} className="font-mono text-xs" />
                </Cell>
              </tr>
            ),
          )}
        </tbody>
      </Table>
    </div>
  );
}
