'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type ReportRowView, type ReportView, type RowCheck } from '@/lib/domain/incident-view';
import { placeholderLabel } from '@/lib/domain/placeholder-label';
import { visibleText } from '@/lib/domain/visible-text';
import { ActDialog } from '../admin/act-dialog';
import { useRefusalText } from '../decision/refusal-text';
import { PersonTag } from '../person/person-tag';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Segmented } from '../ui/segmented';
import { Textarea } from '../ui/textarea';
import { type IncidentActions } from './incident-actions';

interface SampleSheetProps {
  report: ReportView;
  me: string;
  actions: Pick<IncidentActions, 'check' | 'settle'>;
}

/** The rows that the database drew: each is looked up in the outside system by somebody who did not propose. */
export function SampleSheet({ report, me, actions }: SampleSheetProps) {
  const t = useTranslations('incidents.sample');
  const { sample } = report;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-ink-muted">
        {t('lead', { count: sample.length, done: sample.filter(({ check }) => check !== null).length })}
      </p>
      <ol className="flex flex-col gap-3">
        {sample.map((row) => (
          <li key={row.rowNumber} className="rounded-md border border-line p-3 text-sm">
            <p className="font-medium">
              {t('row', {
                number: row.rowNumber,
                id: visibleText(row.resultId ?? ''),
                account: visibleText(row.account ?? ''),
              })}
            </p>
            <p className="mt-0.5 text-xs text-ink-muted">
              <VisibleText
                text={row.comparison
                  .map(({ field, found }) => `${placeholderLabel(field)}: ${found ?? '–'}`)
                  .join(' · ')}
              />
            </p>
            <div className="mt-2">
              {row.check === null ? (
                <CheckRow report={report} row={row} actions={actions} />
              ) : (
                <Checked check={row.check} me={me} />
              )}
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Checked({ check, me }: { check: RowCheck; me: string }) {
  const t = useTranslations('incidents.sample');
  return (
    <div className="flex flex-col gap-1 text-xs">
      <p className={check.agrees ? 'text-confirmed' : 'font-medium text-danger'}>
        {t(check.agrees ? 'agrees' : 'disagrees')}
      </p>
      <p className="flex flex-wrap items-center gap-2 text-ink-muted">
        <PersonTag person={check.by} me={me} /> <Instant at={check.at} look="full" />
      </p>
      <p>
        <VisibleText text={check.place} />
      </p>
      {check.address !== null && (
        <p>
          <VisibleText text={check.address} />
        </p>
      )}
      {check.remark !== null && (
        <p>
          <VisibleText text={check.remark} paragraphs />
        </p>
      )}
    </div>
  );
}

interface CheckRowProps {
  report: ReportView;
  row: ReportRowView;
  actions: SampleSheetProps['actions'];
}

function CheckRow({ report, row, actions }: CheckRowProps) {
  const t = useTranslations('incidents.sample');
  const about = { roles: ['OPERATOR', 'APPROVER'], authority: report.authority };
  const refusalText = useRefusalText(about);
  const [agrees, setAgrees] = useState<'yes' | 'no'>('yes');
  const [texts, setTexts] = useState({ place: '', address: '', text: '' });
  const { reportId, checkRefusal } = report;
  const { rowNumber } = row;
  const placeMissing = texts.place.trim().length < 3;
  return (
    <ActDialog
      label={t('check')}
      title={t('checkTitle', { number: rowNumber })}
      lead={t('checkLead')}
      submit={t('checkSubmit')}
      asksReason={false}
      about={about}
      disabledReason={checkRefusal === null ? undefined : refusalText(checkRefusal)}
      act={actions.check}
      settle={actions.settle}
      input={() =>
        placeMissing
          ? null
          : {
              ...{ reportId, rowNumber, agrees: agrees === 'yes', place: texts.place },
              ...{
                address: texts.address === '' ? null : texts.address,
                text: texts.text === '' ? null : texts.text,
              },
            }
      }
    >
      {(tried) => (
        <>
          <Segmented
            label={t('verdict')}
            value={agrees}
            onChange={setAgrees}
            choices={[
              { value: 'yes', label: t('agrees') },
              { value: 'no', label: t('disagrees') },
            ]}
          />
          <Field
            label={t('place')}
            hint={t('placeHint')}
            required
            error={tried && placeMissing ? t('placeMissing') : undefined}
          >
            {(control) => (
              <Input
                {...control}
                name="place"
                maxLength={300}
                value={texts.place}
                onChange={(event) => setTexts({ ...texts, place: event.target.value })}
              />
            )}
          </Field>
          <Field label={t('address')}>
            {(control) => (
              <Input
                {...control}
                name="address"
                type="url"
                maxLength={2_000}
                value={texts.address}
                onChange={(event) => setTexts({ ...texts, address: event.target.value })}
              />
            )}
          </Field>
          <Field label={t('remark')}>
            {(control) => (
              <Textarea
                {...control}
                name="text"
                rows={2}
                maxLength={4_000}
                value={texts.text}
                onChange={(event) => setTexts({ ...texts, text: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
    </ActDialog>
  );
}
