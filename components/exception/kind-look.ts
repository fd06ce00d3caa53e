import {
  CalendarX2,
  CircleHelp,
  CirclePause,
  Copy,
  FileQuestion,
  GitCompareArrows,
  Ghost,
  Hourglass,
  Inbox,
  KeyRound,
  RotateCcw,
  Timer,
  Undo2,
  Unlink,
  type LucideIcon,
} from 'lucide-react';
import { type ExceptionKind } from '@/lib/domain/exception-kinds';
import { type Tone } from '../ui/tone';

/** Two effects or a wrong one: danger. An effect in doubt: caution. Somebody at work: progress. No effect yet: quiet. */
export const KIND_LOOK: Readonly<Record<ExceptionKind, { icon: LucideIcon; tone: Tone }>> = {
  UNKNOWN_RESULT: { icon: CircleHelp, tone: 'caution' },
  STUCK_PROCESSING: { icon: Hourglass, tone: 'caution' },
  LONG_RUNNING: { icon: Timer, tone: 'progress' },
  CONTENT_CONFLICT: { icon: GitCompareArrows, tone: 'novel' },
  EXPIRED_KEY: { icon: CalendarX2, tone: 'caution' },
  MISSING_RESULT_ID: { icon: FileQuestion, tone: 'caution' },
  RESULT_MISMATCH: { icon: Unlink, tone: 'danger' },
  DUPLICATE_RESULT: { icon: Copy, tone: 'danger' },
  ORPHAN_EFFECT: { icon: Ghost, tone: 'danger' },
  CONTRADICTED_DECISION: { icon: Undo2, tone: 'danger' },
  RETRY_STALLED: { icon: RotateCcw, tone: 'quiet' },
  UNCLAIMED: { icon: Inbox, tone: 'quiet' },
  KEY_MISSING: { icon: KeyRound, tone: 'quiet' },
  OPERATION_PAUSED: { icon: CirclePause, tone: 'quiet' },
};
