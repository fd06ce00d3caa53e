'use client';

import { ArrowRight } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { callerAnswer, type CallerAnswer } from '@/lib/domain/caller-impact';
import { AnswerText } from './answer-text';

interface CallersLineProps {
  now: CallerAnswer | null;
  after: CallerAnswer;
  /** It only holds once another person has agreed. */
  onceApproved: boolean;
  /** Others send this key with other content: they get a conflict, whatever is decided. */
  conflicting: boolean;
}

/** What whoever sends this key gets now and would get afterwards. */
export function CallersLine({ now, after, onceApproved, conflicting }: CallersLineProps) {
  const t = useTranslations('decisions');
  const unchanged = now !== null && now.code === after.code && now.resultId === after.resultId;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-xs text-ink-muted">
      <span className="font-medium text-ink">{t('callersGet')}</span>
      {now !== null && !unchanged && (
        <span>
          {t('callersNow')}: <AnswerText answer={now} />
        </span>
      )}
      <span className="inline-flex items-baseline gap-1.5 text-ink">
        {now !== null && !unchanged && (
          <ArrowRight aria-hidden className="size-3 shrink-0 self-center text-ink-faint" />
        )}
        <span>
          {unchanged ? t('callersUnchanged') : t(onceApproved ? 'afterApproval' : 'callersAfter')}:{' '}
          <AnswerText answer={after} />
        </span>
      </span>
      {conflicting && (
        <span className="w-full">
          {t('callersOther')}: <AnswerText answer={callerAnswer('IDEMPOTENCY_KEY_REUSED')} />
        </span>
      )}
    </p>
  );
}
