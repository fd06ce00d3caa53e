import { useTranslations } from 'next-intl';
import { businessView, type ExecutionState } from '@/lib/domain/states';

interface BusinessViewProps {
  state: ExecutionState;
  /** What an expired record was. */
  before: 'SUCCEEDED' | 'FAILED_FINAL' | null;
  /** Whether a retryable failure rests on a proof of no effect. */
  noEffectProven: boolean;
}

/** The state as people outside of engineering say it, with what follows from it. */
export function BusinessView({ state, before, noEffectProven }: BusinessViewProps) {
  const t = useTranslations('glossary.businessView');
  const view = businessView(state, { noEffectProven, ...(before === null ? {} : { before }) });
  const words = t(`${view}.label`);
  return (
    <span>
      <span className="font-medium">{state === 'EXPIRED' ? t('expired', { view: words }) : words}</span>
      <span className="text-ink-muted"> · {t(`${view}.next`)}</span>
    </span>
  );
}
