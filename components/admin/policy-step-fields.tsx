'use client';

import { useTranslations } from 'next-intl';
import { ROLES } from '@/lib/domain/actor';
import { type PolicyStep } from '@/lib/domain/approval-policy';
import { REQUEST_KINDS } from '@/lib/domain/decisions';
import { EFFECT_CLASSES } from '@/lib/domain/exposure';
import { useAuthorityName } from '../decision/authority-name';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { CheckList } from './check-list';
import { isAmount } from './policy-draft';

interface PolicyStepFieldsProps {
  step: PolicyStep;
  number: number;
  authorities: readonly string[];
  tried: boolean;
  onChange: (step: PolicyStep) => void;
  /** Null: the only one, which stays. */
  onRemove: (() => void) | null;
}

const COUNTS = ['1', '2', '3', '4', '5'] as const;
const ANY = '';

/** One step: for what, how many people, of which group, from what on. */
export function PolicyStepFields({
  step,
  number,
  authorities,
  tried,
  onChange,
  onRemove,
}: PolicyStepFieldsProps) {
  const t = useTranslations('admin.policies.field');
  const tKind = useTranslations('approvals.kind');
  const tRoles = useTranslations('common.roles');
  const tEffect = useTranslations('glossary.effectClass');
  const authorityName = useAuthorityName();
  // An authority that a policy names stays choosable, though nobody holds it any more.
  const names = [...new Set([...authorities, ...(step.authority === null ? [] : [step.authority])])];
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line px-3 py-3">
      <legend className="px-1 text-xs font-semibold">{t('step', { number })}</legend>
      <CheckList
        label={t('kinds')}
        choices={REQUEST_KINDS.map((kind) => ({ value: kind, label: tKind(kind) }))}
        chosen={step.kinds}
        onChange={(chosen) =>
          onChange({ ...step, kinds: REQUEST_KINDS.filter((kind) => chosen.includes(kind)) })
        }
        error={tried && step.kinds.length === 0 ? t('kindsMissing') : undefined}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t('count')} required>
          {(control) => (
            <Select
              {...control}
              value={String(step.count)}
              onChange={(event) => onChange({ ...step, count: Number(event.target.value) })}
              choices={COUNTS.map((count) => ({ value: count, label: count }))}
            />
          )}
        </Field>
        <Field label={t('role')}>
          {(control) => (
            <Select
              {...control}
              value={step.role ?? ANY}
              onChange={(event) =>
                onChange({ ...step, role: ROLES.find((role) => role === event.target.value) ?? null })
              }
              choices={[
                { value: ANY, label: t('anyRole') },
                ...ROLES.map((role) => ({ value: role, label: tRoles(role) })),
              ]}
            />
          )}
        </Field>
        <Field label={t('authority')}>
          {(control) => (
            <Select
              {...control}
              value={step.authority ?? ANY}
              onChange={(event) => onChange({ ...step, authority: event.target.value || null })}
              choices={[
                { value: ANY, label: t('anyAuthority') },
                ...names.map((name) => ({ value: name, label: authorityName(name) })),
              ]}
            />
          )}
        </Field>
        <Field label={t('fromEffect')}>
          {(control) => (
            <Select
              {...control}
              value={step.fromEffect ?? ANY}
              onChange={(event) =>
                onChange({
                  ...step,
                  fromEffect: EFFECT_CLASSES.find((effect) => effect === event.target.value) ?? null,
                })
              }
              choices={[
                { value: ANY, label: t('always') },
                ...EFFECT_CLASSES.map((effect) => ({ value: effect, label: tEffect(effect) })),
              ]}
            />
          )}
        </Field>
        <Field
          label={t('fromAmount')}
          hint={t('fromAmountHint')}
          error={tried && !isAmount(step.fromAmount) ? t('amountWrong') : undefined}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              maxLength={43}
              value={step.fromAmount ?? ''}
              onChange={(event) => onChange({ ...step, fromAmount: event.target.value.trim() || null })}
            />
          )}
        </Field>
      </div>
      <div>
        <Button
          size="sm"
          disabledReason={onRemove === null ? t('lastStep') : undefined}
          onClick={() => onRemove?.()}
        >
          {t('removeStep', { number })}
        </Button>
      </div>
    </fieldset>
  );
}
