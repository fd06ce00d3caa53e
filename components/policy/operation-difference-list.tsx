'use client';

import { useTranslations } from 'next-intl';
import { type OperationPolicyContent } from '@/lib/domain/operation-policy';
import {
  operationPolicyDifference,
  type OperationPolicyDifference,
} from '@/lib/domain/operation-policy-difference';
import { VisibleText } from '../text/visible-text';
import { useValueWords } from './policy-words';

interface OperationDifferenceListProps {
  before: OperationPolicyContent;
  after: OperationPolicyContent;
}

/** What would change between two versions, as text alone: readable without colours. Long texts stand one below the other. */
export function OperationDifferenceList({ before, after }: OperationDifferenceListProps) {
  const t = useTranslations('policies.difference');
  const differences = operationPolicyDifference(before, after);
  if (differences.length === 0) return <p>{t('none')}</p>;
  return (
    <ul className="flex list-disc flex-col gap-1.5 pl-5">
      {differences.map((each, index) => (
        <Difference key={index} of={each} />
      ))}
    </ul>
  );
}

function Difference({ of }: { of: OperationPolicyDifference }) {
  const t = useTranslations('policies.difference');
  const all = useTranslations('policies');
  const sections = useTranslations('exception.guide.section');
  const words = useValueWords();
  switch (of.what) {
    case 'value': {
      const { member, from, to } = of;
      const label = all(`member.${member}.label`);
      return <li>{t('value', { label, from: words(member, from), to: words(member, to) })}</li>;
    }
    case 'lines': {
      const label = all(`member.${of.member}.label`);
      const told = (what: 'added' | 'removed', lines: readonly string[]) =>
        lines.map((line) => (
          <li key={`${what} ${line}`}>
            {t.rich(what, { label, line: () => <VisibleText text={line} className="font-mono text-xs" /> })}
          </li>
        ));
      return (
        <>
          {told('removed', of.removed)}
          {told('added', of.added)}
        </>
      );
    }
    case 'guide':
      return (
        <li>
          {t('guide', { language: all(`language.${of.locale}`), section: sections(of.field) })}
          <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs">
            {(['from', 'to'] as const).map((side) => (
              <div key={side} className="contents">
                <dt className="text-ink-muted">{t(side === 'from' ? 'before' : 'after')}</dt>
                <dd>{of[side] === null ? t('nothing') : <VisibleText text={of[side]} paragraphs />}</dd>
              </div>
            ))}
          </dl>
        </li>
      );
    default: {
      const impossible: never = of;
      throw new Error(`bug: unknown difference ${JSON.stringify(impossible)}`);
    }
  }
}
