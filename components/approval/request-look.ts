import {
  Ban,
  CircleCheck,
  CircleDot,
  CircleSlash2,
  CircleX,
  Clock3,
  KeyRound,
  LoaderCircle,
  Scale,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import { type RequestKind, type RequestState } from '@/lib/domain/decisions';
import { type Tone } from '../ui/tone';

export const REQUEST_KIND_LOOK: Readonly<Record<RequestKind, { icon: LucideIcon; tone: Tone }>> = {
  REISSUE: { icon: KeyRound, tone: 'novel' },
  CONFIRM_NOT_APPLIED: { icon: CircleSlash2, tone: 'confirmed' },
  SETTLE_EFFECT: { icon: Scale, tone: 'danger' },
};

export const REQUEST_STATE_LOOK: Readonly<Record<RequestState, { icon: LucideIcon; tone: Tone }>> = {
  PENDING: { icon: CircleDot, tone: 'accent' },
  APPROVED: { icon: LoaderCircle, tone: 'progress' },
  EXECUTED: { icon: CircleCheck, tone: 'confirmed' },
  REJECTED: { icon: CircleX, tone: 'danger' },
  WITHDRAWN: { icon: Undo2, tone: 'quiet' },
  EXPIRED: { icon: Clock3, tone: 'quiet' },
  VOID: { icon: Ban, tone: 'caution' },
};
