import { CircleCheck, CircleSlash, MailQuestionMark, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type PersonState } from '@/lib/domain/person-row';
import { Badge } from '../ui/badge';
import { type Tone } from '../ui/tone';

const LOOK: Readonly<Record<PersonState, { icon: LucideIcon; tone: Tone }>> = {
  ACTIVE: { icon: CircleCheck, tone: 'confirmed' },
  INVITED: { icon: MailQuestionMark, tone: 'progress' },
  DISABLED: { icon: CircleSlash, tone: 'quiet' },
};

/** Whether somebody can sign in. */
export function PersonStateBadge({ state }: { state: PersonState }) {
  const t = useTranslations('admin.personState');
  return <Badge {...LOOK[state]}>{t(state)}</Badge>;
}
