import {
  AtSign,
  BellRing,
  CircleCheck,
  Clock,
  Eye,
  Hourglass,
  Siren,
  Stamp,
  UserRound,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { type NotificationReason } from '@/lib/domain/notifications';

export const REASON_ICON: Readonly<Record<NotificationReason, LucideIcon>> = {
  ASSIGNED: UserRound,
  MENTIONED: AtSign,
  WATCHED: Eye,
  DECISION_ASKED: Stamp,
  REQUEST_ENDED: BellRing,
  OVERDUE: Clock,
  UNOWNED: Users,
  DEFERRAL_OVER: Hourglass,
  BREAK_GLASS: Siren,
  JOB_FINISHED: CircleCheck,
};
