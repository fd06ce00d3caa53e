import {
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleSlash2,
  CloudOff,
  GitCompareArrows,
  Copy,
  Eye,
  Hourglass,
  LoaderCircle,
  Undo2,
  Unlink,
  type LucideIcon,
} from 'lucide-react';
import { type EvidenceStanding } from '@/lib/domain/evidence-standing';
import { type Tone } from '../ui/tone';

export const STANDING_LOOK: Readonly<Record<EvidenceStanding, { icon: LucideIcon; tone: Tone }>> = {
  NOT_LOOKED: { icon: CircleDashed, tone: 'quiet' },
  REPORTED: { icon: CircleCheck, tone: 'quiet' },
  NEVER_STARTED: { icon: CircleSlash2, tone: 'quiet' },
  PROVEN_NOT: { icon: CircleSlash2, tone: 'quiet' },
  OUTDATED: { icon: CircleDashed, tone: 'quiet' },
  SEEN_BY_ONE: { icon: Eye, tone: 'confirmed' },
  SEEN_BY_TWO: { icon: Eye, tone: 'confirmed' },
  MATCH: { icon: CircleCheck, tone: 'confirmed' },
  ABSENT_AS_WANTED: { icon: CircleCheck, tone: 'confirmed' },
  NOT_APPLIED: { icon: CircleSlash2, tone: 'accent' },
  NOT_APPLIED_TOO_EARLY: { icon: Hourglass, tone: 'caution' },
  UNDER_WAY: { icon: LoaderCircle, tone: 'progress' },
  UNDONE: { icon: Undo2, tone: 'danger' },
  SEEN_OTHERWISE: { icon: GitCompareArrows, tone: 'danger' },
  CONTRADICTED: { icon: GitCompareArrows, tone: 'danger' },
  MISMATCH: { icon: Unlink, tone: 'danger' },
  MULTIPLE: { icon: Copy, tone: 'danger' },
  SILENT: { icon: CloudOff, tone: 'caution' },
  UNCLEAR: { icon: CircleHelp, tone: 'caution' },
};
