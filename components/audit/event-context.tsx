import { useTranslations } from 'next-intl';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { type AuditContext } from '@/lib/domain/audit-story';
import { type OriginalEffect } from '@/lib/domain/reissue-exposure';
import { type KeptLook } from '@/lib/domain/kept-look';
import { memberOf } from '@/lib/domain/audit-body';
import { Panel } from '../ui/panel';
import { EarlierEvent } from './earlier-event';

interface EventContextProps {
  event: AuditRecord;
  context: AuditContext;
  /** It is a decision that stands on no look. */
  noLook: boolean;
  /** What the ledger knew of the original's effect; null where the event says nothing of it. */
  originalEffect: OriginalEffect | null;
  /** Looks that the story names, by their ids, and the events that recorded them. */
  looks: ReadonlyMap<string, KeptLook>;
  lookEvents?: ReadonlyMap<string, AuditRecord>;
  me: string;
  /** People by their ids. */
  names: Readonly<Record<string, string>>;
}

/** What the event answers, and on what evidence it stands where that is not what was shown: each only where there is any. */
export function EventContext({
  event,
  context,
  noLook,
  originalEffect,
  looks,
  lookEvents,
  me,
  names,
}: EventContextProps) {
  const t = useTranslations('audit.detail');
  const { request, evidence } = context;
  const wasShown = evidence !== null && memberOf(evidence, 'lookupId') === memberOf(event, 'shownEvidenceId');
  const common = { me, names, looks, lookEvents, decided: event };
  return (
    <>
      {request !== null && <EarlierEvent title={t('asked')} event={request} {...common} />}
      {evidence !== null && !wasShown && (
        <EarlierEvent title={t(`evidenceMade.${context.moment}`)} event={evidence} {...common} />
      )}
      {noLook && (
        <Panel title={t('grounds')}>
          <p className="text-sm">
            {t('noLook')} {originalEffect !== null && t(`ledgerSays.${originalEffect}`)}
          </p>
        </Panel>
      )}
    </>
  );
}
