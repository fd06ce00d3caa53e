import {
  Archive,
  CircleHelp,
  CircleSlash2,
  CircleX,
  Clock3,
  FileKey2,
  KeyRound,
  Link2,
  Play,
  RotateCcw,
  Scale,
  ShieldCheck,
  ShieldOff,
  type LucideIcon,
} from 'lucide-react';
import { type Decision } from '@/lib/domain/decisions';

export const DECISION_ICON: Readonly<Record<Decision, LucideIcon>> = {
  LINK_RESULT: Link2,
  CONFIRM_KNOWN_RESULT: Archive,
  CONFIRM_NOT_APPLIED: CircleSlash2,
  EXTEND: Clock3,
  DECLARE_UNKNOWN: CircleHelp,
  KEEP_ORIGINAL: ShieldCheck,
  ALLOW_ATTEMPTS: RotateCcw,
  RECORD_KEY_RULE: FileKey2,
  ACCEPT_UNPROTECTED: ShieldOff,
  RESUME_OPERATION: Play,
  SETTLE_EFFECT: Scale,
  FINAL_FAILURE: CircleX,
  REQUEST_REISSUE: KeyRound,
};
