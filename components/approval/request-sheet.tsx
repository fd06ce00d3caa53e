import { useTranslations } from 'next-intl';
import { type RequestView } from '@/lib/domain/request-view';
import { OneConflict } from '../exception-detail/conflict-panel';
import { Panel } from '../ui/panel';
import { ExposurePanel } from './exposure-panel';
import { OutcomeNotice } from './outcome-notice';
import { RequestBasis } from './request-basis';
import { RequestEvidence } from './request-evidence';
import { Stages } from './stages';
import { StepsPanel } from './steps-panel';
import { VerdictsPanel } from './verdicts-panel';

/** What is decided on, from how far it is to who has said what: a function of the request alone. */
export function RequestSheet({ request }: { request: RequestView }) {
  const t = useTranslations('approvals.detail');
  return (
    <>
      <Stages request={request} />
      <OutcomeNotice request={request} />
      <ExposurePanel request={request} />
      {request.conflict !== null && (
        <Panel title={t('newContent')}>
          <OneConflict conflict={request.conflict} />
        </Panel>
      )}
      <StepsPanel request={request} />
      <RequestBasis request={request} />
      <RequestEvidence request={request} />
      <VerdictsPanel verdicts={request.verdicts} />
    </>
  );
}
