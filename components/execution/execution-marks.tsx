import { CornerDownRight, Repeat2, ScanSearch } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Badge } from '../ui/badge';

interface ExecutionMarksProps {
  underReview: boolean;
  superseded: boolean;
  isReissue: boolean;
}

/** What holds for a record beside its state: an exception holds it, a newer key replaces it, or it replaces an older one. */
export function ExecutionMarks({ underReview, superseded, isReissue }: ExecutionMarksProps) {
  const t = useTranslations('executions.row');
  return (
    <span className="inline-flex flex-col items-start gap-0.5 align-middle text-xs">
      {underReview && (
        <Badge icon={ScanSearch} tone="caution" look="plain" className="text-xs">
          {t('underReview')}
        </Badge>
      )}
      {superseded && (
        <Badge icon={CornerDownRight} tone="quiet" look="plain" className="text-xs">
          {t('superseded')}
        </Badge>
      )}
      {isReissue && (
        <Badge icon={Repeat2} tone="novel" look="plain" className="text-xs">
          {t('reissue')}
        </Badge>
      )}
    </span>
  );
}
