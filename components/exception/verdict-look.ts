import { CircleCheck, CircleHelp, CircleSlash2, LoaderCircle, type LucideIcon } from 'lucide-react';
import { type Verdict } from '@/lib/domain/lookup-verdict';
import { type Tone } from '../ui/tone';

export const VERDICT_LOOK = {
  APPLIED: { icon: CircleCheck, tone: 'confirmed' },
  NOT_APPLIED: { icon: CircleSlash2, tone: 'quiet' },
  UNDER_WAY: { icon: LoaderCircle, tone: 'progress' },
  UNCLEAR: { icon: CircleHelp, tone: 'caution' },
} as const satisfies Record<Verdict, { icon: LucideIcon; tone: Tone }>;
