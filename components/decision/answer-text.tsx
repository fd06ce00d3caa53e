'use client';

import { useTranslations } from 'next-intl';
import { type CallerAnswer } from '@/lib/domain/caller-impact';
import { visibleText } from '@/lib/domain/visible-text';

/** What a caller is answered, in words with the status they see. */
export function AnswerText({ answer }: { answer: CallerAnswer }) {
  const t = useTranslations('decisions.answer');
  return (
    <span className="tabular">
      {t(answer.code, {
        status: answer.status,
        result: answer.resultId === null ? t('noResult') : visibleText(answer.resultId),
      })}
    </span>
  );
}
