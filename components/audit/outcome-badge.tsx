import { Ban, Check, CircleDashed, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { actStage } from '@/lib/domain/act-stage';
import { isAuditOutcome, type AuditOutcome, type AuditRecord } from '@/lib/domain/audit-events';
import { Badge } from '../ui/badge';
import { type Tone } from '../ui/tone';

const LOOKS: Readonly<Record<AuditOutcome, { icon: LucideIcon; tone: Tone }>> = {
  done: { icon: Check, tone: 'quiet' },
  refused: { icon: Ban, tone: 'caution' },
  failed: { icon: TriangleAlert, tone: 'danger' },
};

/** Whether the act came about, and what it was: a request is never called done. In lists only what did not is worth a mark. */
export function OutcomeBadge({
  event: { event, outcome },
}: {
  event: Pick<AuditRecord, 'event' | 'outcome'>;
}) {
  const t = useTranslations('audit');
  if (!isAuditOutcome(outcome)) return null;
  const { icon, tone } = LOOKS[outcome];
  const stage = actStage(event);
  return (
    <Badge icon={outcome === 'done' && stage === 'REQUESTED' ? CircleDashed : icon} tone={tone}>
      {outcome === 'done' ? t(`stage.${stage}`) : t(`outcome.${outcome}`)}
    </Badge>
  );
}
