import {
  ArrowDownToLine,
  CircleDot,
  Flag,
  Gavel,
  Hourglass,
  MailWarning,
  MessageSquare,
  Play,
  Search,
  Square,
  UserRound,
  Users,
  Zap,
  type LucideIcon,
} from 'lucide-react';
import { type Moment } from '@/lib/domain/exception-timeline';
import { type Tone } from '../ui/tone';

interface MomentLook {
  icon: LucideIcon;
  tone: Tone;
}

const ACTIVITY_LOOK: Readonly<Record<string, MomentLook>> = {
  commented: { icon: MessageSquare, tone: 'accent' },
  assigned: { icon: UserRound, tone: 'quiet' },
  deferred: { icon: Hourglass, tone: 'quiet' },
  requested: { icon: Users, tone: 'progress' },
  request_ended: { icon: Users, tone: 'quiet' },
  closed: { icon: Flag, tone: 'confirmed' },
};

const VERDICT_TONE = {
  APPLIED: 'confirmed',
  NOT_APPLIED: 'accent',
  UNDER_WAY: 'progress',
  UNCLEAR: 'caution',
} as const satisfies Record<string, Tone>;

/** Icon and tone of a moment: executors on one side of the palette, people on the other. */
export function momentLook(moment: Moment): MomentLook {
  switch (moment.type) {
    case 'arrival':
      return {
        icon: ArrowDownToLine,
        tone: moment.intake.disposition === 'CONTENT_CONFLICT' ? 'novel' : 'quiet',
      };
    case 'attempt-started':
      return { icon: Play, tone: 'progress' };
    case 'effect-started':
      return { icon: Zap, tone: 'caution' };
    case 'attempt-ended':
      return { icon: Square, tone: moment.attempt.outcome === 'SUCCEEDED' ? 'confirmed' : 'quiet' };
    case 'lease-over':
      return { icon: Hourglass, tone: 'caution' };
    case 'late-report':
      return { icon: MailWarning, tone: 'danger' };
    case 'lookup':
      return { icon: Search, tone: VERDICT_TONE[moment.lookup.verdict] };
    case 'decision':
      return { icon: Gavel, tone: 'accent' };
    case 'activity':
      return ACTIVITY_LOOK[moment.activity.event] ?? { icon: CircleDot, tone: 'quiet' };
    default: {
      const impossible: never = moment;
      throw new Error(`bug: unknown moment ${JSON.stringify(impossible)}`);
    }
  }
}
