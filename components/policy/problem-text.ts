'use client';

import { useTranslations } from 'next-intl';
import { MEMBER_KINDS, type ListedMember } from '@/lib/domain/operation-policy-sections';
import { useLengthWords } from './policy-words';
import { type Problem } from './read-draft';

/** What is wrong with a field, and how to put it right. */
export function useProblemText(): (member: string, problem: Problem | undefined) => string | undefined {
  const t = useTranslations('policies');
  const length = useLengthWords();
  return (member, problem) => {
    if (problem === undefined) return undefined;
    switch (problem.code) {
      case 'number':
        return t('problem.number', { min: problem.min, max: problem.max });
      case 'long':
        return t('problem.long', { max: problem.max });
      case 'line': {
        const kind = MEMBER_KINDS[member as ListedMember] as 'paths';
        return t('problem.line', { line: problem.line, example: t(`example.${kind}`) });
      }
      case 'retention':
        return t('problem.retention', {
          way: t(`member.${problem.way}.label`),
          least: length(problem.seconds),
        });
      default:
        return t(`problem.${problem.code}`);
    }
  };
}
