import {
  ArrowRightLeft,
  CircleCheck,
  CircleHelp,
  CircleSlash2,
  CircleX,
  LoaderCircle,
  RotateCcw,
  Stamp,
  type LucideIcon,
} from 'lucide-react';
import { type AttemptOutcome } from '@/lib/domain/exception-attempts';
import { type Tone } from '../ui/tone';

export const ATTEMPT_LOOK = {
  RUNNING: { icon: LoaderCircle, tone: 'progress' },
  SUCCEEDED: { icon: CircleCheck, tone: 'confirmed' },
  FAILED_FINAL: { icon: CircleX, tone: 'danger' },
  FAILED_RETRYABLE: { icon: RotateCcw, tone: 'quiet' },
  UNKNOWN: { icon: CircleHelp, tone: 'caution' },
  CANCELLED: { icon: CircleSlash2, tone: 'quiet' },
  TAKEN_OVER: { icon: ArrowRightLeft, tone: 'quiet' },
  DECIDED: { icon: Stamp, tone: 'quiet' },
} as const satisfies Record<AttemptOutcome, { icon: LucideIcon; tone: Tone }>;
