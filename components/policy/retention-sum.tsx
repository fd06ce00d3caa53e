'use client';

import { useTranslations } from 'next-intl';
import { leastRetention, WAYS_TO_ARRIVE, type WaysToArrive } from '@/lib/domain/retention';
import { useLengthWords } from './policy-words';
import { spanParts, UNITS, type OperationDraft } from './operation-draft';

/** The least retention as it follows from what is typed (R-039): the sum, and of what. */
export function RetentionSum({ members }: { members: OperationDraft['members'] }) {
  const t = useTranslations('policies');
  const length = useLengthWords();
  const typed = (member: keyof OperationDraft['members']) => {
    const { amount, unit } = spanParts(String(members[member]));
    return /^\d{1,9}$/.test(amount.trim()) ? Number(amount) * UNITS[unit] : 0;
  };
  const ways: WaysToArrive = {
    retransmissionSeconds: typed('retransmissionSeconds'),
    offlineReturnSeconds: typed('offlineReturnSeconds'),
    manualReprocessingSeconds: typed('manualReprocessingSeconds'),
    dedupeWindowSeconds: typed('dedupeWindowSeconds'),
    investigationSeconds: typed('investigationSeconds'),
  };
  const { seconds, tooShortFor } = leastRetention(ways, typed('retentionSeconds'));
  const parts = WAYS_TO_ARRIVE.filter((way) => (ways[way] ?? 0) > 0).map(
    (way) => `${t(`member.${way}.label`)} ${length(ways[way] ?? 0)}`,
  );
  return (
    <p
      role="status"
      className={tooShortFor === null ? 'text-sm text-ink-muted' : 'text-sm font-medium text-danger'}
    >
      {t('form.least', { least: length(seconds), count: parts.length, parts: parts.join(' + ') })}{' '}
      {tooShortFor === null && t('form.enough')}
    </p>
  );
}
