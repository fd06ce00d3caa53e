import { useTranslations } from 'next-intl';
import { type IntakeDisposition } from '@/lib/domain/dispositions';
import { Badge } from '../ui/badge';
import { Explained } from '../ui/explained';
import { DISPOSITION_LOOK } from './disposition-look';

interface DispositionBadgeProps {
  disposition: IntakeDisposition;
  /** Adds what it means as a tooltip that the keyboard reaches. */
  explain?: boolean;
}

/** What the ledger made of one arrival. */
export function DispositionBadge({ disposition, explain = false }: DispositionBadgeProps) {
  const t = useTranslations('glossary');
  const means = t(`dispositionMeans.${disposition}`);
  const badge = (
    <Badge {...DISPOSITION_LOOK[disposition]} look="plain">
      {t(`disposition.${disposition}`)}
    </Badge>
  );
  return explain ? <Explained meaning={means}>{badge}</Explained> : <span title={means}>{badge}</span>;
}
