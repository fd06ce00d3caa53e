import {
  BadgeCheck,
  CheckCheck,
  CircleSlash2,
  Gavel,
  Hourglass,
  Link2,
  MailWarning,
  Timer,
  TimerOff,
  UserCheck,
  Users,
  Zap,
  type LucideIcon,
} from 'lucide-react';
import { type LifeLane, type LifeSorts } from '@/lib/domain/life-line';
import { KIND_LOOK } from '../exception/kind-look';
import { VERDICT_LOOK } from '../exception/verdict-look';
import { ATTEMPT_LOOK } from '../execution/attempt-look';
import { DISPOSITION_LOOK } from '../execution/disposition-look';
import { type Tone } from '../ui/tone';

export interface LifeLook {
  readonly icon: LucideIcon;
  readonly tone: Tone;
  /** Hatched: nobody knows, or nobody has to believe it. */
  readonly hatched?: boolean;
}

type Looks = { readonly [Lane in LifeLane]: Readonly<Record<LifeSorts[Lane], LifeLook>> };

/** Everything on the line has the shape and tone that it has in lists; no two of a lane share both shape and words. */
const LIFE_LOOK: Looks = {
  ARRIVALS: DISPOSITION_LOOK,
  ATTEMPTS: ATTEMPT_LOOK,
  LEASE: {
    BELIEVED: { icon: Timer, tone: 'progress' },
    PAST: { icon: TimerOff, tone: 'caution', hatched: true },
  },
  EFFECT: {
    MAY_EXIST: { icon: Zap, tone: 'caution', hatched: true },
    MAY_HAVE_EXISTED: { icon: Zap, tone: 'quiet' },
    RESULT: { icon: BadgeCheck, tone: 'confirmed' },
    RESULT_LINKED: { icon: Link2, tone: 'confirmed' },
    LATE_REPORT: { icon: MailWarning, tone: 'danger' },
  },
  LOOKS: { ...VERDICT_LOOK, TOO_EARLY: { icon: Hourglass, tone: 'quiet' } },
  EXCEPTIONS: KIND_LOOK,
  DECISIONS: {
    REQUESTED: { icon: Users, tone: 'progress' },
    APPROVED: { icon: UserCheck, tone: 'progress' },
    CAME_TO_NOTHING: { icon: CircleSlash2, tone: 'quiet' },
    EXECUTED: { icon: Gavel, tone: 'accent' },
    CONFIRMED: { icon: CheckCheck, tone: 'confirmed' },
  },
};

export function lifeLook(lane: LifeLane, sort: string): LifeLook {
  const look = (LIFE_LOOK[lane] as Readonly<Record<string, LifeLook>>)[sort];
  if (look === undefined) throw new Error(`bug: nothing is drawn for ${lane} ${sort}`);
  return look;
}

/** Surface and edge of a tone, for shapes. */
export const TONE_SHAPE: Readonly<Record<Tone, string>> = {
  quiet: 'fill-quiet-soft stroke-line-control',
  accent: 'fill-accent-soft stroke-accent',
  progress: 'fill-progress-soft stroke-progress',
  confirmed: 'fill-confirmed-soft stroke-confirmed',
  caution: 'fill-caution-soft stroke-caution',
  danger: 'fill-danger-soft stroke-danger',
  novel: 'fill-novel-soft stroke-novel',
};
