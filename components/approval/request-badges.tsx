import { useTranslations } from 'next-intl';
import { type RequestKind, type RequestState } from '@/lib/domain/decisions';
import { Badge } from '../ui/badge';
import { REQUEST_KIND_LOOK, REQUEST_STATE_LOOK } from './request-look';

export function RequestStateBadge({ state }: { state: RequestState }) {
  const t = useTranslations('approvals.state');
  const { icon, tone } = REQUEST_STATE_LOOK[state];
  return (
    <Badge icon={icon} tone={tone}>
      {t(state)}
    </Badge>
  );
}

export function RequestKindBadge({ kind }: { kind: RequestKind }) {
  const t = useTranslations('approvals');
  const { icon, tone } = REQUEST_KIND_LOOK[kind];
  return (
    <span title={t(`kindMeans.${kind}`)}>
      <Badge icon={icon} tone={tone} look="plain">
        {t(`kind.${kind}`)}
      </Badge>
    </span>
  );
}
