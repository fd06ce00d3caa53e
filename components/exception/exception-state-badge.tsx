import { CircleCheck, CircleDot } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ExceptionState } from '@/lib/domain/exception-kinds';
import { Badge } from '../ui/badge';

/** Open or settled. */
export function ExceptionStateBadge({ state }: { state: ExceptionState }) {
  const t = useTranslations('glossary.exceptionState');
  return (
    <Badge icon={state === 'OPEN' ? CircleDot : CircleCheck} tone={state === 'OPEN' ? 'accent' : 'confirmed'}>
      {t(state)}
    </Badge>
  );
}
