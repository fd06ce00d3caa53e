import { FilePenLine, RotateCcw, Sparkles } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Badge } from '../ui/badge';

const LOOK = {
  NEW: { icon: Sparkles, tone: 'novel' },
  RECOVER: { icon: RotateCcw, tone: 'confirmed' },
  RECORD: { icon: FilePenLine, tone: 'quiet' },
} as const;

export type WorkNature = keyof typeof LOOK;

/** Whether a button makes new work or recovers the same work; stands beside the button's words. */
export function WorkNatureBadge({ nature }: { nature: WorkNature }) {
  const t = useTranslations('glossary.workNature');
  return (
    <span title={t(`${nature}.means`)}>
      <Badge icon={LOOK[nature].icon} tone={LOOK[nature].tone}>
        {t(`${nature}.label`)}
      </Badge>
    </span>
  );
}
