'use client';

import { useTranslations } from 'next-intl';
import { policyDifference, type PolicyContent } from '@/lib/domain/approval-policy';
import { useKindsWords, useStepWords } from '../approval/step-text';

/** What would change between two versions, line by line, as text alone: readable without colours. */
export function PolicyDifferenceList({ before, after }: { before: PolicyContent; after: PolicyContent }) {
  const t = useTranslations('admin.policies.difference');
  const words = useStepWords();
  const kinds = useKindsWords();
  const differences = policyDifference(before, after);
  if (differences.length === 0) return <p>{t('none')}</p>;
  const shown = ({ what, from, to }: { what: string; from: number; to: number }) =>
    what === 'minRationale' ? { from, to } : { from: Math.round(from / 60), to: Math.round(to / 60) };
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5">
      {differences.map((each, index) => (
        <li key={index}>
          {'step' in each
            ? t(each.what, { step: `${kinds(each.step)}: ${words(each.step)}` })
            : 'from' in each
              ? t(each.what, shown(each))
              : t(each.what)}
        </li>
      ))}
    </ul>
  );
}
