import { useTranslations } from 'next-intl';
import { type IntakeDisposition } from '@/lib/domain/dispositions';
import { Badge } from '../ui/badge';
import { DISPOSITION_LOOK } from './disposition-look';

/** What the ledger made of one arrival. */
export function DispositionBadge({ disposition }: { disposition: IntakeDisposition }) {
  const t = useTranslations('glossary.disposition');
  return (
    <Badge icon={DISPOSITION_LOOK[disposition].icon} tone={DISPOSITION_LOOK[disposition].tone} look="plain">
      {t(disposition)}
    </Badge>
  );
}
