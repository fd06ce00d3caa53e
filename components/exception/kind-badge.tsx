import { useTranslations } from 'next-intl';
import { type ExceptionKind } from '@/lib/domain/exception-kinds';
import { Badge } from '../ui/badge';
import { Explained } from '../ui/explained';
import { KIND_LOOK } from './kind-look';

interface KindBadgeProps {
  kind: ExceptionKind;
  look?: 'pill' | 'plain';
  /** Adds the glossary's meaning as a tooltip that the keyboard reaches. */
  explain?: boolean;
  className?: string;
}

/** What the exception is about: icon, words, and what they mean. */
export function KindBadge({ kind, look = 'plain', explain = false, className }: KindBadgeProps) {
  const t = useTranslations('glossary.kind');
  const { icon, tone } = KIND_LOOK[kind];
  const badge = (
    <Badge icon={icon} tone={tone} look={look} {...(className === undefined ? {} : { className })}>
      {t(`${kind}.label`)}
    </Badge>
  );
  return explain ? (
    <Explained meaning={t(`${kind}.means`)}>{badge}</Explained>
  ) : (
    <span title={t(`${kind}.means`)}>{badge}</span>
  );
}
