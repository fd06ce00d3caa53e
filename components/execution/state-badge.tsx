import { useTranslations } from 'next-intl';
import { type ExecutionState } from '@/lib/domain/states';
import { Badge } from '../ui/badge';
import { Explained } from '../ui/explained';
import { STATE_LOOK } from './state-look';

interface StateBadgeProps {
  state: ExecutionState;
  look?: 'pill' | 'plain';
  explain?: boolean;
}

/** The ledger's state of an execution, in the ledger's words. */
export function StateBadge({ state, look = 'pill', explain = false }: StateBadgeProps) {
  const t = useTranslations('glossary.state');
  const badge = (
    <Badge icon={STATE_LOOK[state].icon} tone={STATE_LOOK[state].tone} look={look}>
      {t(`${state}.label`)}
    </Badge>
  );
  return explain ? (
    <Explained meaning={t(`${state}.means`)}>{badge}</Explained>
  ) : (
    <span title={t(`${state}.means`)}>{badge}</span>
  );
}
