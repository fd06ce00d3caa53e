import { useTranslations } from 'next-intl';
import { type EvidenceView } from '@/lib/domain/exception-view';
import { type RequestView } from '@/lib/domain/request-view';
import { Comparison } from '../evidence/comparison';
import { LookupMeta } from '../evidence/lookup-meta';
import { VerdictBadge } from '../exception/verdict-badge';
import { Panel } from '../ui/panel';

/** The look that the request rests on, and the newest one if there is a newer. */
export function RequestEvidence({ request }: { request: RequestView }) {
  const t = useTranslations('approvals.detail');
  return (
    <>
      <Panel title={t('evidence')}>
        {request.evidence === null ? (
          <p className="text-sm text-ink-muted">{t('evidenceNone')}</p>
        ) : (
          <Look lookup={request.evidence} />
        )}
      </Panel>
      {request.newest !== null && (
        <Panel title={t(isSince(request, request.newest) ? 'newest' : 'newestBefore')}>
          <Look lookup={request.newest} />
        </Panel>
      )}
    </>
  );
}

const isSince = (request: RequestView, { checkedAt }: EvidenceView) =>
  Date.parse(checkedAt) >= Date.parse(request.requestedAt);

function Look({ lookup }: { lookup: EvidenceView }) {
  const t = useTranslations('lookup.outcome');
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        {t(lookup.outcome)} <VerdictBadge verdict={lookup.verdict} />
      </p>
      <LookupMeta lookup={lookup} watch={false} />
      <Comparison lines={lookup.comparison} />
    </div>
  );
}
