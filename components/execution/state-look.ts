import {
  Archive,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleX,
  LoaderCircle,
  RotateCcw,
  type LucideIcon,
} from 'lucide-react';
import { type ExecutionState } from '@/lib/domain/states';
import { type Tone } from '../ui/tone';

export const STATE_LOOK: Readonly<Record<ExecutionState, { icon: LucideIcon; tone: Tone }>> = {
  RECEIVED: { icon: CircleDashed, tone: 'quiet' },
  PROCESSING: { icon: LoaderCircle, tone: 'progress' },
  SUCCEEDED: { icon: CircleCheck, tone: 'confirmed' },
  FAILED_RETRYABLE: { icon: RotateCcw, tone: 'quiet' },
  FAILED_FINAL: { icon: CircleX, tone: 'danger' },
  UNKNOWN: { icon: CircleHelp, tone: 'caution' },
  EXPIRED: { icon: Archive, tone: 'quiet' },
};
