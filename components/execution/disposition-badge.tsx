import { useTranslations } from 'next-intl';
import { type IntakeDisposition } from '@/lib/domain/dispositions';
import { Badge } from '../ui/badge';
import { DISPOSITION_LOOK } from './disposition-look';

/** What the ledger made of one arrival. */
export function DispositionBadge({ disposition }: { disposition: IntakeDisposition }) {
  const t = useTranslations('glossary');
  return (
    <span title={t(`dispositionMeans.${disposition}`)}>
      <Badge {...DISPOSITION_LOOK[disposition]} look="plain">
        {t(`disposition.${disposition}`)}
      </Badge>
    </span>
  );
}
