import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CirclePlay,
  CircleStop,
  type LucideIcon,
} from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type JobState } from '@/lib/domain/bulk-job';
import { Badge } from '../ui/badge';
import { type Tone } from '../ui/tone';

const LOOK: Readonly<Record<JobState, { icon: LucideIcon; tone: Tone }>> = {
  PREVIEW: { icon: CircleDashed, tone: 'quiet' },
  RUNNING: { icon: CirclePlay, tone: 'progress' },
  PAUSED: { icon: CirclePause, tone: 'caution' },
  DONE: { icon: CircleCheck, tone: 'confirmed' },
  ABORTED: { icon: CircleStop, tone: 'danger' },
};

/** How a bulk job stands. */
export function JobStateBadge({ state }: { state: JobState }) {
  const t = useTranslations('bulk.state');
  return <Badge {...LOOK[state]}>{t(state)}</Badge>;
}
