import {
  Ban,
  CircleCheck,
  CirclePause,
  GitCompareArrows,
  KeyRound,
  LogIn,
  type LucideIcon,
} from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type IntakeDisposition } from '@/lib/domain/dispositions';
import { Badge } from '../ui/badge';
import { type Tone } from '../ui/tone';

const LOOK: Readonly<Record<IntakeDisposition, { icon: LucideIcon; tone: Tone }>> = {
  CLAIMED: { icon: LogIn, tone: 'progress' },
  RETRY_SAME_KEY: { icon: LogIn, tone: 'progress' },
  SAME_ATTEMPT: { icon: LogIn, tone: 'progress' },
  REGISTERED: { icon: LogIn, tone: 'quiet' },
  RESULT_REUSED: { icon: CircleCheck, tone: 'confirmed' },
  DUPLICATE_HELD: { icon: CirclePause, tone: 'quiet' },
  RECONCILE_REQUIRED: { icon: CirclePause, tone: 'caution' },
  SINGLE_EXECUTOR_BUSY: { icon: CirclePause, tone: 'quiet' },
  OPERATION_PAUSED: { icon: CirclePause, tone: 'quiet' },
  CONTENT_CONFLICT: { icon: GitCompareArrows, tone: 'novel' },
  KEY_MISSING: { icon: KeyRound, tone: 'caution' },
  RECORD_EXPIRED: { icon: Ban, tone: 'caution' },
  SUPERSEDED: { icon: Ban, tone: 'quiet' },
  BUSINESS_REFERENCE_TAKEN: { icon: Ban, tone: 'quiet' },
  ATTEMPTS_EXHAUSTED: { icon: Ban, tone: 'quiet' },
};

/** What the ledger made of one arrival. */
export function DispositionBadge({ disposition }: { disposition: IntakeDisposition }) {
  const t = useTranslations('glossary.disposition');
  return (
    <Badge icon={LOOK[disposition].icon} tone={LOOK[disposition].tone} look="plain">
      {t(disposition)}
    </Badge>
  );
}
