'use client';

import { useLocale, useTranslations } from 'next-intl';
import { kindsWithoutStep, POLICY_BOUNDS } from '@/lib/domain/approval-policy';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Notice } from '../ui/notice';
import { newStep, within, type PolicyDraft } from './policy-draft';
import { PolicyStepFields } from './policy-step-fields';

interface PolicyFieldsProps {
  draft: PolicyDraft;
  authorities: readonly string[];
  tried: boolean;
  onChange: (draft: PolicyDraft) => void;
}

/** Everything that a policy says. */
export function PolicyFields({ draft, authorities, tried, onChange }: PolicyFieldsProps) {
  const t = useTranslations('admin.policies.field');
  const tKind = useTranslations('approvals.kind');
  const list = new Intl.ListFormat(useLocale(), { type: 'conjunction' });
  const { steps } = draft;
  const left = kindsWithoutStep(steps);
  const minutes = (value: string) => within(Math.round(Number(value) * 60), POLICY_BOUNDS.seconds);
  return (
    <>
      {steps.map((step, index) => (
        <PolicyStepFields
          key={index}
          step={step}
          number={index + 1}
          authorities={authorities}
          tried={tried}
          onChange={(next) =>
            onChange({ ...draft, steps: steps.map((each, at) => (at === index ? next : each)) })
          }
          onRemove={
            steps.length === 1
              ? null
              : () => onChange({ ...draft, steps: steps.filter((_each, at) => at !== index) })
          }
        />
      ))}
      {left.length > 0 && (
        <Notice tone="caution">{t('left', { kinds: list.format(left.map((kind) => tKind(kind))) })}</Notice>
      )}
      <div>
        <Button
          size="sm"
          disabledReason={steps.length >= POLICY_BOUNDS.steps.max ? t('mostSteps') : undefined}
          onClick={() => onChange({ ...draft, steps: [...steps, newStep()] })}
        >
          {t('addStep')}
        </Button>
      </div>
      <NumberField
        label={t('minRationale')}
        value={draft.minRationale}
        wrong={
          tried && !within(Number(draft.minRationale), POLICY_BOUNDS.minRationale)
            ? t('rationaleWrong')
            : undefined
        }
        onChange={(minRationale) => onChange({ ...draft, minRationale })}
      />
      <NumberField
        label={t('approvalMinutes')}
        value={draft.approvalMinutes}
        wrong={tried && !minutes(draft.approvalMinutes) ? t('minutesWrong') : undefined}
        onChange={(approvalMinutes) => onChange({ ...draft, approvalMinutes })}
      />
      <NumberField
        label={t('executionMinutes')}
        value={draft.executionMinutes}
        wrong={tried && !minutes(draft.executionMinutes) ? t('minutesWrong') : undefined}
        onChange={(executionMinutes) => onChange({ ...draft, executionMinutes })}
      />
    </>
  );
}

interface NumberFieldProps {
  label: string;
  value: string;
  wrong: string | undefined;
  onChange: (value: string) => void;
}

function NumberField({ label, value, wrong, onChange }: NumberFieldProps) {
  return (
    <Field label={label} required error={wrong}>
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          maxLength={12}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
