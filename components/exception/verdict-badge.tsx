import { CircleCheck, CircleHelp, CircleSlash2, LoaderCircle } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type Verdict } from '@/lib/domain/lookup-verdict';
import { Badge } from '../ui/badge';

const LOOK = {
  APPLIED: { icon: CircleCheck, tone: 'confirmed' },
  NOT_APPLIED: { icon: CircleSlash2, tone: 'quiet' },
  UNDER_WAY: { icon: LoaderCircle, tone: 'progress' },
  UNCLEAR: { icon: CircleHelp, tone: 'caution' },
} as const satisfies Record<Verdict, unknown>;

/** What a lookup says about the effect. */
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const t = useTranslations('glossary.verdict');
  return (
    <Badge icon={LOOK[verdict].icon} tone={LOOK[verdict].tone}>
      {t(verdict)}
    </Badge>
  );
}
