'use client';

import { useTranslations } from 'next-intl';
import { type EvidenceField, type EvidenceFields, type FieldFaults } from '@/lib/domain/evidence-form';
import { type Verdict } from '@/lib/domain/lookup-verdict';
import { visibleText } from '@/lib/domain/visible-text';
import { ChoiceLabel } from '../decision/choice-label';
import { CheckField } from '../ui/check-field';
import { ChoiceCards } from '../ui/choice-cards';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Textarea } from '../ui/textarea';

const CHOICES = ['APPLIED', 'NOT_APPLIED', 'UNDER_WAY', 'UNCLEAR'] as const satisfies readonly Verdict[];

interface EvidenceFieldsProps {
  fields: EvidenceFields;
  change: (change: Partial<EvidenceFields>) => void;
  faults: FieldFaults;
  /** The execution's; null where the request names none. */
  account: string | null;
}

/** Where a person looked, what they saw, and what they compared. */
export function EvidenceInputs({ fields, change, faults, account }: EvidenceFieldsProps) {
  const t = useTranslations('lookup.manual');
  const error = (field: EvidenceField) => {
    const fault = faults[field];
    return fault === undefined ? undefined : t(`fault.${fault}`, { account: visibleText(account ?? '') });
  };
  const text = (name: 'place' | 'account' | 'resultId' | 'resultUrl', longest: number) => ({
    name,
    maxLength: longest,
    value: fields[name],
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  return (
    <>
      <Field label={t('place')} hint={t('placeHint')} required error={error('place')}>
        {(control) => <Input {...control} {...text('place', 300)} />}
      </Field>
      <Field label={t('seen')} hint={t('seenHint')} required error={error('seen')}>
        {(control) => (
          <Textarea
            {...control}
            name="seen"
            maxLength={4_000}
            value={fields.seen}
            onChange={(event) => change({ seen: event.target.value })}
          />
        )}
      </Field>
      <ChoiceLabel text={t('verdict')} />
      <ChoiceCards
        label={t('verdict')}
        name="verdict"
        value={fields.verdict}
        onChange={(verdict) => change({ verdict })}
        error={error('verdict')}
        choices={CHOICES.map((value) => ({ value, title: t(`verdictChoice.${value}`) }))}
      />
      <div className="grid gap-3.5 sm:grid-cols-2">
        <Field label={t('checkedAt')} hint={t('checkedAtHint')} error={error('checkedAt')}>
          {(control) => (
            <Input
              {...control}
              name="checkedAt"
              type="datetime-local"
              value={fields.checkedAt}
              onChange={(event) => change({ checkedAt: event.target.value })}
            />
          )}
        </Field>
        <Field label={t('account')} error={error('account')}>
          {(control) => <Input {...control} {...text('account', 200)} />}
        </Field>
        <Field label={t('resultId')} error={error('resultId')}>
          {(control) => <Input {...control} {...text('resultId', 255)} />}
        </Field>
        <Field label={t('resultUrl')} hint={t('resultUrlHint')} error={error('resultUrl')}>
          {(control) => <Input {...control} {...text('resultUrl', 2_000)} inputMode="url" />}
        </Field>
      </div>
      <CheckField
        name="contentAgrees"
        label={t('contentAgrees')}
        shortLabel={t('contentAgreesShort')}
        checked={fields.contentAgrees}
        onChange={(contentAgrees) => change({ contentAgrees })}
        error={error('contentAgrees')}
      />
    </>
  );
}
