import { useTranslations } from 'next-intl';
import { isTooEarly } from '@/lib/domain/decision-evidence';
import { type EvidenceView } from '@/lib/domain/exception-view';
import { type RequestView } from '@/lib/domain/request-view';
import { Comparison } from '../evidence/comparison';
import { OutcomeText } from '../evidence/outcome-text';
import { LookupMeta } from '../evidence/lookup-meta';
import { VerdictBadge } from '../exception/verdict-badge';
import { Notice } from '../ui/notice';
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
      {request.contrary !== null && <Contrary request={request} lookup={request.contrary} />}
      {request.newest !== null && (
        <Panel title={t(isSince(request, request.newest) ? 'newest' : 'newestBefore')}>
          <Look lookup={request.newest} />
        </Panel>
      )}
    </>
  );
}

/** A person saw the effect there: whoever decides on "not applied" decides against that look, and sees it. */
function Contrary({ request, lookup }: { request: RequestView; lookup: EvidenceView }) {
  const t = useTranslations('approvals.detail');
  const named = request.params['contraryLookId'] === lookup.lookupId;
  return (
    <Panel title={t('contrary')}>
      <div className="flex flex-col gap-3">
        <Notice tone="danger">{t(named ? 'contraryNamed' : 'contrarySince')}</Notice>
        <Look lookup={lookup} />
      </div>
    </Panel>
  );
}

const isSince = (request: RequestView, { checkedAt }: EvidenceView) =>
  Date.parse(checkedAt) >= Date.parse(request.requestedAt);

function Look({ lookup }: { lookup: EvidenceView }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <OutcomeText lookup={lookup} />
        {!isTooEarly(lookup) && <VerdictBadge verdict={lookup.verdict} />}
      </p>
      <LookupMeta lookup={lookup} watch={false} exact />
      <Comparison lines={lookup.comparison} />
    </div>
  );
}
