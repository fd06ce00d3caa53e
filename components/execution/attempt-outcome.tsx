import {
  CircleCheck,
  CircleHelp,
  CircleSlash2,
  CircleX,
  LoaderCircle,
  RotateCcw,
  Stamp,
  type LucideIcon,
} from 'lucide-react';
import { useTranslations } from 'next-intl';
import { attemptOutcome, type AttemptOutcome as Outcome } from '@/lib/domain/exception-attempts';
import { Badge } from '../ui/badge';
import { type Tone } from '../ui/tone';

const LOOK = {
  RUNNING: { icon: LoaderCircle, tone: 'progress' },
  SUCCEEDED: { icon: CircleCheck, tone: 'confirmed' },
  FAILED_FINAL: { icon: CircleX, tone: 'danger' },
  FAILED_RETRYABLE: { icon: RotateCcw, tone: 'quiet' },
  UNKNOWN: { icon: CircleHelp, tone: 'caution' },
  CANCELLED: { icon: CircleSlash2, tone: 'quiet' },
  TAKEN_OVER: { icon: RotateCcw, tone: 'quiet' },
  DECIDED: { icon: Stamp, tone: 'quiet' },
} as const satisfies Record<Outcome, { icon: LucideIcon; tone: Tone }>;

/** How a try ended; null while it runs. */
export function AttemptOutcome({ outcome }: { outcome: string | null }) {
  const t = useTranslations('glossary.attemptOutcome');
  const known = attemptOutcome(outcome);
  return (
    <Badge icon={LOOK[known].icon} tone={LOOK[known].tone} look="plain">
      {t(known)}
    </Badge>
  );
}
