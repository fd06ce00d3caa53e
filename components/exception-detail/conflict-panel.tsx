import { useTranslations } from 'next-intl';
import { type ConflictView, type ContentDifference } from '@/lib/domain/exception-view';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { classNames } from '../ui/class-names';
import { Panel } from '../ui/panel';
import { Cell, HeadCell, Table } from '../ui/table';
import { DisplayValue, fieldName } from './display-value';

/** The stored content beside each arrival that brought another one under the same key. */
export function ConflictPanel({ conflicts }: { conflicts: readonly ConflictView[] }) {
  const t = useTranslations('exception.conflict');
  if (conflicts.length === 0) return null;
  return (
    <Panel title={t('title')} aside={t('lead', { count: conflicts.length })}>
      <div className="flex flex-col gap-5">
        {conflicts.map((conflict) => (
          <OneConflict key={conflict.intake.intakeId} conflict={conflict} />
        ))}
      </div>
    </Panel>
  );
}

export function OneConflict({ conflict }: { conflict: ConflictView }) {
  const t = useTranslations('exception.conflict');
  const { intake, differences } = conflict;
  const differing = differences?.filter((each) => each.differs) ?? [];
  const same = (differences?.length ?? 0) - differing.length;
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">
        {t.rich('arrival', {
          requestId: () =>
            intake.requestId === null ? <>{t('noRequestId')}</> : <KeyText value={intake.requestId} />,
          time: () => <Instant at={intake.receivedAt} look="full" />,
        })}
      </h3>
      {differences === null ? (
        <p className="text-sm text-ink-muted">{t('noHashes')}</p>
      ) : (
        <Table caption={t('caption')}>
          <thead>
            <tr>
              <HeadCell>{t('field')}</HeadCell>
              <HeadCell>{t('stored')}</HeadCell>
              <HeadCell>{t('arrived')}</HeadCell>
            </tr>
          </thead>
          <tbody>
            {differing.map((each) => (
              <tr key={each.field}>
                <Cell className="text-ink-muted">
                  <FieldLabel field={each.field} />
                </Cell>
                <Cell>
                  <Side value={each.stored} />
                </Cell>
                <Cell className="bg-novel-soft font-medium text-novel">
                  <Side value={each.arrived} />
                </Cell>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {same > 0 && <SameFields fields={differences?.filter((each) => !each.differs) ?? []} />}
    </div>
  );
}

function SameFields({ fields }: { fields: readonly ContentDifference[] }) {
  const t = useTranslations('exception.conflict');
  return (
    <details className="text-sm">
      <summary className="w-fit text-xs text-ink-muted hover:text-ink">
        {t('sameFields', { count: fields.length })}
      </summary>
      <dl className="mt-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {fields.map((each) => (
          <div key={each.field} className="contents">
            <dt className="text-ink-muted">
              <FieldLabel field={each.field} />
            </dt>
            <dd>
              <Side value={each.stored} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const LABELS = {
  contentVersion: 'contentVersion',
  'target.system': 'targetSystem',
  'target.account': 'targetAccount',
} as const;

function FieldLabel({ field }: { field: string }) {
  const t = useTranslations('exception.conflict.label');
  return field in LABELS ? (
    <>{t(LABELS[field as keyof typeof LABELS])}</>
  ) : (
    <VisibleText text={fieldName(field)} />
  );
}

function Side({ value }: { value: unknown }) {
  const t = useTranslations('exception.conflict');
  const muted = (words: string) => (
    <span className={classNames('text-xs font-normal text-ink-muted')}>{words}</span>
  );
  if (value === undefined) return muted(t('hidden'));
  return value === null ? muted(t('absent')) : <DisplayValue value={value} />;
}
