import {
  Ban,
  CalendarX2,
  CircleCheck,
  CirclePause,
  CopyCheck,
  CornerDownRight,
  GitCompareArrows,
  Hourglass,
  KeyRound,
  ListPlus,
  Lock,
  LogIn,
  OctagonPause,
  RotateCw,
  Scale,
  type LucideIcon,
} from 'lucide-react';
import { type IntakeDisposition } from '@/lib/domain/dispositions';
import { type Tone } from '../ui/tone';

/** A shape of its own for each: on the life line they stand without words beside them. */
export const DISPOSITION_LOOK: Readonly<Record<IntakeDisposition, { icon: LucideIcon; tone: Tone }>> = {
  CLAIMED: { icon: LogIn, tone: 'progress' },
  RETRY_SAME_KEY: { icon: RotateCw, tone: 'progress' },
  SAME_ATTEMPT: { icon: CopyCheck, tone: 'progress' },
  REGISTERED: { icon: ListPlus, tone: 'quiet' },
  RESULT_REUSED: { icon: CircleCheck, tone: 'confirmed' },
  DUPLICATE_HELD: { icon: CirclePause, tone: 'quiet' },
  RECONCILE_REQUIRED: { icon: Scale, tone: 'caution' },
  SINGLE_EXECUTOR_BUSY: { icon: Hourglass, tone: 'quiet' },
  OPERATION_PAUSED: { icon: OctagonPause, tone: 'quiet' },
  CONTENT_CONFLICT: { icon: GitCompareArrows, tone: 'novel' },
  KEY_MISSING: { icon: KeyRound, tone: 'caution' },
  RECORD_EXPIRED: { icon: CalendarX2, tone: 'caution' },
  SUPERSEDED: { icon: CornerDownRight, tone: 'quiet' },
  BUSINESS_REFERENCE_TAKEN: { icon: Lock, tone: 'quiet' },
  ATTEMPTS_EXHAUSTED: { icon: Ban, tone: 'quiet' },
};
