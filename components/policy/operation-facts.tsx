'use client';

import { useTranslations } from 'next-intl';
import { type OperationPolicyContent } from '@/lib/domain/operation-policy';
import { linesOf } from '@/lib/domain/operation-policy-difference';
import {
  POLICY_SECTION_NAMES,
  POLICY_SECTIONS,
  type ListedMember,
} from '@/lib/domain/operation-policy-sections';
import { VisibleText } from '../text/visible-text';
import { FactList } from '../ui/fact-list';
import { isSingle, useValueWords } from './policy-words';

/** Everything that a policy says, section by section; the guide stands apart. */
export function OperationFacts({ content }: { content: OperationPolicyContent }) {
  const t = useTranslations('policies');
  const words = useValueWords();
  const valueOf = (member: ListedMember) => {
    const value = content[member];
    if (isSingle(value)) return value === null ? null : words(member, value);
    const lines = linesOf(member, value);
    return lines.length === 0 ? null : (
      <ul className="flex flex-col gap-0.5 font-mono text-xs">
        {lines.map((line) => (
          <li key={line}>
            <VisibleText text={line} />
          </li>
        ))}
      </ul>
    );
  };
  return (
    <div className="flex flex-col divide-y divide-line">
      {POLICY_SECTION_NAMES.map((section) => (
        <section key={section} className="py-3 first:pt-0 last:pb-0">
          <h3 className="mb-2 text-xs font-semibold">{t(`section.${section}.title`)}</h3>
          <FactList
            absent={t('page.noValue')}
            facts={POLICY_SECTIONS[section].map((member) => ({
              term: t(`member.${member}.label`),
              value: valueOf(member),
            }))}
          />
        </section>
      ))}
    </div>
  );
}
