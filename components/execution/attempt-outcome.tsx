import { useTranslations } from 'next-intl';
import { attemptOutcome } from '@/lib/domain/exception-attempts';
import { Badge } from '../ui/badge';
import { ATTEMPT_LOOK } from './attempt-look';

/** How a try ended; null while it runs. */
export function AttemptOutcome({ outcome }: { outcome: string | null }) {
  const t = useTranslations('glossary.attemptOutcome');
  const known = attemptOutcome(outcome);
  return (
    <Badge icon={ATTEMPT_LOOK[known].icon} tone={ATTEMPT_LOOK[known].tone} look="plain">
      {t(known)}
    </Badge>
  );
}
