'use client';

import { useTranslations } from 'next-intl';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { twoSources } from '@/lib/domain/decision-evidence';
import { type SharedLock } from '@/lib/domain/decision-offers';
import { Countdown } from '../time/countdown';
import { Instant } from '../time/instant';
import { Notice } from '../ui/notice';
import { useDecisionDesk } from './decision-desk';
import { useRefusalText } from './refusal-text';

/** What locks several choices, once; and what to do while none leads on by itself: locks alone would be no way. */
export function WayOn({ view, lock }: { view: ExceptionView; lock: SharedLock | null }) {
  const t = useTranslations('decisions');
  const { about } = useDecisionDesk();
  const refusalText = useRefusalText(about);
  const words = wordsFor(view);
  const hasDecision = view.offers.some((offer) => offer.recommended);
  const told = words === null || (hasDecision && words !== 'SETTLE_UNDONE') ? null : t(`wayOn.${words}`);
  if (told === null && lock === null) return null;
  return (
    <Notice tone="caution" title={lock === null ? t('wayOnTitle') : refusalText(lock.refusal)}>
      {lock !== null && lock.opensAt !== null && (
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">
            {t('reopens')} <Countdown until={lock.opensAt} refreshWhenOver />
          </span>
          <span className="text-xs text-ink-muted">
            {t.rich('lockedUntil', { time: () => <Instant at={lock.opensAt ?? ''} look="full" /> })}
          </span>
        </p>
      )}
      {told}
    </Notice>
  );
}

/** Steps that are no decision on this page, or that need more words than the decision's own: which case, and what helps. */
function wordsFor(view: ExceptionView) {
  const step = view.nextStep;
  switch (step) {
    case 'LOOK_AGAIN':
      if (twoSources(view.evidence, view.execution?.version ?? '').contradict) return 'LOOK_AGAIN_SEEN';
      return isPlanned(view) ? 'LOOK_AGAIN_PLANNED' : 'LOOK_AGAIN';
    case 'WAIT_FOR_HORIZON':
      return isPlanned(view) ? 'WAIT_FOR_HORIZON_PLANNED' : 'WAIT_FOR_HORIZON';
    case 'HEAR_FROM_OWNER':
      return noEffect(view) ? 'HEAR_FROM_OWNER_UNSTARTED' : step;
    case 'FIND_EXECUTOR':
    case 'LOOK_UP':
    case 'ASK_A_COLLEAGUE':
    case 'CHECK_WITH_PROVIDER':
    case 'SETTLE_UNDONE':
    case 'NAME_THE_EFFECT':
    case 'WAIT_FOR_SECOND':
      return step;
    default:
      return null;
  }
}

/** Abandoned before any effect was announced. */
function noEffect({ exception, attempts }: ExceptionView): boolean {
  return exception.kind === 'STUCK_PROCESSING' && attempts.every((each) => each.effectStartedAt === null);
}

/** The outside system is asked again without anybody's doing. */
function isPlanned({ evidence, now }: ExceptionView): boolean {
  return evidence.some(({ current, nextCheckAt }) => current && nextCheckAt !== null && nextCheckAt > now);
}
