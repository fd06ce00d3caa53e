import { CircleCheck, CircleDashed, CircleSlash } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Badge } from '../ui/badge';

const LOOK = {
  IN_FORCE: { icon: CircleCheck, tone: 'confirmed' },
  RETIRED: { icon: CircleSlash, tone: 'quiet' },
  PROPOSED: { icon: CircleDashed, tone: 'progress' },
} as const;

/** Whether a connector is asked. */
export function ConnectorStateBadge({ version, retired }: { version: number; retired: boolean }) {
  const t = useTranslations('connectors.state');
  const state = version === 0 ? 'PROPOSED' : retired ? 'RETIRED' : 'IN_FORCE';
  return <Badge {...LOOK[state]}>{t(state)}</Badge>;
}
