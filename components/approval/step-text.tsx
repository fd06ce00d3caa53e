'use client';

import { useLocale, useTranslations } from 'next-intl';
import { type PolicyStep } from '@/lib/domain/approval-policy';
import { useAuthorityName } from '../decision/authority-name';

/** A step in words: how many people of which group, and from what on. */
export function useStepWords(): (step: PolicyStep) => string {
  const t = useTranslations('approvals.step');
  const tRoles = useTranslations('common.roles');
  const tEffect = useTranslations('glossary.effectClass');
  const authorityName = useAuthorityName();
  const locale = useLocale();
  return (step) => {
    const group = t('group', {
      count: step.count,
      hasRole: step.role === null ? 'no' : 'yes',
      role: step.role === null ? '' : tRoles(step.role),
      hasAuthority: step.authority === null ? 'no' : 'yes',
      authority: step.authority === null ? '' : authorityName(step.authority),
    });
    const amount = (digits: string) =>
      new Intl.NumberFormat(locale, { maximumFractionDigits: 12 }).format(digits as `${number}`);
    return [
      group,
      ...(step.fromAmount === null ? [] : [t('fromAmount', { amount: amount(step.fromAmount) })]),
      ...(step.fromEffect === null ? [] : [t('fromEffect', { effect: tEffect(step.fromEffect) })]),
    ].join(' · ');
  };
}

/** What each step is for, where the kinds of requests differ. */
export function useKindsWords(): (step: PolicyStep) => string {
  const t = useTranslations('approvals.kind');
  const list = new Intl.ListFormat(useLocale(), { type: 'conjunction' });
  return (step) => list.format(step.kinds.map((kind) => t(kind)));
}

/** Steps one below the other; `named` says for each what it is for. */
export function StepsText({ steps, named = false }: { steps: readonly PolicyStep[]; named?: boolean }) {
  const words = useStepWords();
  const kinds = useKindsWords();
  return (
    <ul className="flex flex-col gap-1">
      {steps.map((step, index) => (
        <li key={index}>
          {named && <span className="text-ink-muted">{kinds(step)}: </span>}
          {words(step)}
        </li>
      ))}
    </ul>
  );
}
