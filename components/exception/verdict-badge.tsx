import { useTranslations } from 'next-intl';
import { type Verdict } from '@/lib/domain/lookup-verdict';
import { Badge } from '../ui/badge';
import { VERDICT_LOOK } from './verdict-look';

/** What a lookup says about the effect. */
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const t = useTranslations('glossary');
  return (
    <span title={t(`verdictMeans.${verdict}`)}>
      <Badge {...VERDICT_LOOK[verdict]}>{t(`verdict.${verdict}`)}</Badge>
    </span>
  );
}
