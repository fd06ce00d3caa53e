import { useTranslations } from 'next-intl';
import { KeyText } from './key-text';
import { VisibleText } from './visible-text';

interface AsReportedProps {
  code: string | null;
  message: string | null;
}

/** A machine's own words about a failure, marked as that: for engineers, never part of a sentence. */
export function AsReported({ code, message }: AsReportedProps) {
  const t = useTranslations('common.text');
  if (code === null && message === null) return null;
  return (
    <span className="block text-xs [overflow-wrap:anywhere] text-ink-muted">
      {t('asReported')}: {code !== null && <KeyText value={code} />}
      {code !== null && message !== null && ' · '}
      {message !== null && <VisibleText text={message} />}
    </span>
  );
}
