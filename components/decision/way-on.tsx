import { useTranslations } from 'next-intl';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { twoSources } from '@/lib/domain/decision-evidence';
import { Notice } from '../ui/notice';

/** What to do while no choice leads on by itself: locks alone would leave a person without a way. */
export function WayOn({ view }: { view: ExceptionView }) {
  const t = useTranslations('decisions');
  const words = wordsFor(view);
  const hasDecision = view.offers.some((offer) => offer.recommended);
  if (words === null || (hasDecision && words !== 'SETTLE_UNDONE')) return null;
  return (
    <Notice tone="caution" title={t('wayOnTitle')}>
      {t(`wayOn.${words}`)}
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
    case 'LOOK_UP':
    case 'ASK_A_COLLEAGUE':
    case 'CHECK_WITH_PROVIDER':
    case 'SETTLE_UNDONE':
    case 'NAME_THE_EFFECT':
    case 'HEAR_FROM_OWNER':
    case 'WAIT_FOR_SECOND':
      return step;
    default:
      return null;
  }
}

/** The outside system is asked again without anybody's doing. */
function isPlanned({ evidence, now }: ExceptionView): boolean {
  return evidence.some(({ current, nextCheckAt }) => current && nextCheckAt !== null && nextCheckAt > now);
}
