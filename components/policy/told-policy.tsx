'use client';

import { useTranslations } from 'next-intl';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { type OperationPolicyContent } from '@/lib/domain/operation-policy';
import { Button } from '../ui/button';
import { OperationDifferenceList } from './operation-difference-list';

interface ToldPolicyProps {
  answer: CommandAnswer;
  mine: OperationPolicyContent;
  /** Null: nothing newer is on the page yet. */
  goOn: (() => void) | null;
}

/** After a refusal: how the form differs from what holds by now or waits. Nothing of the form is lost (LC-18). */
export function ToldPolicy({ answer, mine, goOn }: ToldPolicyProps) {
  const t = useTranslations('policies.form');
  if (answer.outcome !== 'refused' || answer.operationPolicy === undefined) return null;
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line-strong bg-surface px-3 py-2.5 text-sm">
      <p className="font-medium">{t(answer.code === 'PROPOSAL_IN_FLIGHT' ? 'toldWaiting' : 'toldInForce')}</p>
      <OperationDifferenceList before={answer.operationPolicy} after={mine} />
      {goOn !== null && (
        <div>
          <Button size="sm" onClick={goOn}>
            {t('goOn')}
          </Button>
        </div>
      )}
    </div>
  );
}
