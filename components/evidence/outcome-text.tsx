import { useTranslations } from 'next-intl';
import { isTooEarly } from '@/lib/domain/decision-evidence';
import { type EvidenceView } from '@/lib/domain/exception-view';

/** What one look came to, in the timeline's words: a person found nothing by asking, and "not there" may be too early. */
export function OutcomeText({ lookup }: { lookup: EvidenceView }) {
  const t = useTranslations('lookup');
  return <span className="font-normal">{t(lookedUpAs(lookup))}</span>;
}

function lookedUpAs(lookup: EvidenceView) {
  if (lookup.byPerson) return 'recordedByPerson';
  return isTooEarly(lookup) ? 'outcomeTooEarly' : (`outcome.${lookup.outcome}` as const);
}
