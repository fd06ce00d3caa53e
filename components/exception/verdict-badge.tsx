import { useTranslations } from 'next-intl';
import { type Verdict } from '@/lib/domain/lookup-verdict';
import { Badge } from '../ui/badge';
import { VERDICT_LOOK } from './verdict-look';

/** What a lookup says about the effect. */
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const t = useTranslations('glossary.verdict');
  return (
    <Badge icon={VERDICT_LOOK[verdict].icon} tone={VERDICT_LOOK[verdict].tone}>
      {t(verdict)}
    </Badge>
  );
}
