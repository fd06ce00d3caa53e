import { Ban, Check, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { isAuditOutcome, type AuditOutcome } from '@/lib/domain/audit-events';
import { Badge } from '../ui/badge';
import { type Tone } from '../ui/tone';

const LOOKS: Readonly<Record<AuditOutcome, { icon: LucideIcon; tone: Tone }>> = {
  done: { icon: Check, tone: 'quiet' },
  refused: { icon: Ban, tone: 'caution' },
  failed: { icon: TriangleAlert, tone: 'danger' },
};

/** Whether the act came about. In lists only what did not is worth a mark. */
export function OutcomeBadge({ outcome }: { outcome: string }) {
  const t = useTranslations('audit.outcome');
  if (!isAuditOutcome(outcome)) return null;
  const { icon, tone } = LOOKS[outcome];
  return (
    <Badge icon={icon} tone={tone}>
      {t(outcome)}
    </Badge>
  );
}
