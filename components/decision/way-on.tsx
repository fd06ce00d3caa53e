import { useTranslations } from 'next-intl';
import { type NextStep } from '@/lib/domain/next-step';
import { Notice } from '../ui/notice';

/** Steps that are no decision on this page, or that need more words than the decision's own. */
const TOLD = [
  'LOOK_UP',
  'LOOK_AGAIN',
  'WAIT_FOR_HORIZON',
  'CHECK_WITH_PROVIDER',
  'SETTLE_UNDONE',
  'NAME_THE_EFFECT',
  'HEAR_FROM_OWNER',
  'WAIT_FOR_SECOND',
] as const satisfies readonly NextStep[];

/** What to do while no choice leads on by itself: locks alone would leave a person without a way. */
export function WayOn({ step, hasDecision }: { step: NextStep; hasDecision: boolean }) {
  const t = useTranslations('decisions');
  const told = TOLD.find((each) => each === step);
  if (told === undefined || (hasDecision && told !== 'SETTLE_UNDONE')) return null;
  return (
    <Notice tone="caution" title={t('wayOnTitle')}>
      {t(`wayOn.${told}`)}
    </Notice>
  );
}
