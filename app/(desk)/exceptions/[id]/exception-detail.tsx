import { type ReactNode } from 'react';
import { getTranslations } from 'next-intl/server';
import { AuditLink } from '@/components/audit/audit-link';
import { DecisionArea } from '@/components/decision/decision-area';
import { DecisionDeskProvider } from '@/components/decision/decision-desk';
import { EvidencePanel } from '@/components/evidence/evidence-panel';
import { ArrivalsPanel } from '@/components/exception-detail/arrivals-panel';
import { AskedPanel } from '@/components/exception-detail/asked-panel';
import { CallersPanel } from '@/components/exception-detail/callers-panel';
import { ConflictPanel } from '@/components/exception-detail/conflict-panel';
import { DeskPanel } from '@/components/exception-detail/desk-panel';
import { ExposurePanel } from '@/components/exception-detail/exposure-panel';
import { FactsPanel } from '@/components/exception-detail/facts-panel';
import { GuidePanel } from '@/components/exception-detail/guide-panel';
import { HeadFacts } from '@/components/exception-detail/head-facts';
import { LineagePanel, OtherExceptions, WorkflowPanel } from '@/components/exception-detail/related-panels';
import { RequestNotice } from '@/components/exception-detail/request-notice';
import { SettledPanel } from '@/components/exception-detail/settled-panel';
import { CarryOn } from '@/components/exception-detail/carry-on';
import { WatchPage } from '@/components/exception-detail/watch-page';
import { PlainAccount } from '@/components/exception-detail/plain-account';
import { Presence } from '@/components/exception-detail/presence';
import { TogetherNotices } from '@/components/exception-detail/together-notices';
import { WatchToggle } from '@/components/exception-detail/watch-toggle';
import { HelpLink } from '@/components/help/help-link';
import { OutagePanel } from '@/components/incident/outage-panel';
import { InputReference } from '@/components/execution/input-reference';
import { ExceptionStateBadge } from '@/components/exception/exception-state-badge';
import { KindTitle } from '@/components/exception-detail/kind-title';
import { SeverityMark } from '@/components/exception/severity-mark';
import { LifeLine } from '@/components/life-line/life-line';
import { guideForm } from '@/components/policy/policy-address';
import { MisleadingNotice } from '@/components/text/misleading-notice';
import { ExceptionTimeline } from '@/components/timeline/exception-timeline';
import { PageHeader } from '@/components/ui/page-header';
import { type Actor } from '@/lib/domain/actor';
import { awaitsNews } from '@/lib/domain/awaits-news';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { outageOf } from '@/lib/review/incidents/outage-of';
import { orNull } from '@/lib/review/or-null';
import { getTogether } from '@/lib/review/together/get-together';
import { readContext } from '@/lib/review/read-context';
import * as actions from './actions';

const DECISION_ACTIONS = {
  LINK_RESULT: actions.linkResultAction,
  CONFIRM_KNOWN_RESULT: actions.confirmKnownResultAction,
  CONFIRM_NOT_APPLIED: actions.confirmNotAppliedAction,
  EXTEND: actions.extendAction,
  DECLARE_UNKNOWN: actions.declareUnknownAction,
  KEEP_ORIGINAL: actions.keepOriginalAction,
  ALLOW_ATTEMPTS: actions.allowAttemptsAction,
  RECORD_KEY_RULE: actions.recordKeyRuleAction,
  ACCEPT_UNPROTECTED: actions.recordKeyRuleAction,
  RESUME_OPERATION: actions.resumeOperationAction,
  SETTLE_EFFECT: actions.requestEffectSettlementAction,
  FINAL_FAILURE: actions.failFinallyAction,
  REQUEST_REISSUE: actions.requestReissueAction,
};

interface ExceptionDetailProps {
  view: ExceptionView;
  actor: Actor;
  back?: ReactNode;
  actions?: ReactNode;
  /** Beside the queue, whose title is the page's. */
  beside?: boolean;
}

/** Everything about one exception: as a page of its own, or beside the queue. What fits beside what follows its own width. */
export async function ExceptionDetail({
  view,
  actor,
  back,
  actions: extra,
  beside = false,
}: ExceptionDetailProps) {
  const outage = await orNull('outage', outageOf(readContext(actor), view.exception.exceptionId));
  const together = await getTogether(readContext(actor), view.exception.exceptionId);
  const t = await getTranslations('exception');
  const { exception, execution } = view;
  const settle = actions.settleOperationAction;
  const writeAt = guideForm(actor, exception.tenantId, exception.operation);
  return (
    <div className="@container flex flex-1 flex-col">
      <WatchPage active={awaitsNews(view)} />
      <CarryOn exceptionId={exception.exceptionId} />
      <PageHeader
        level={beside ? 2 : 1}
        back={back}
        title={<KindTitle kind={exception.kind} />}
        badges={
          <>
            <SeverityMark severity={exception.severity} />
            <ExceptionStateBadge state={exception.state} />
            <HelpLink
              id={`kind-${exception.kind}`}
              word={(await getTranslations('glossary.kind'))(`${exception.kind}.label`)}
            />
          </>
        }
        actions={
          <>
            <WatchToggle
              exceptionId={exception.exceptionId}
              watching={together.watching}
              watch={actions.watchExceptionAction}
            />
            <AuditLink about="exception" id={exception.exceptionId} />
            {extra}
          </>
        }
      />
      <HeadFacts view={view} me={actor.personId} />
      <div className="grid flex-1 grid-cols-1 content-start gap-x-5 gap-y-5 border-t border-line bg-canvas px-4 pt-4 pb-10 md:px-6 @min-[64rem]:grid-cols-[minmax(0,1fr)_clamp(24rem,38cqw,32rem)] @min-[64rem]:grid-rows-[auto_auto_1fr]">
        <div className="flex min-w-0 flex-col gap-4 @min-[64rem]:col-span-2">
          <Presence exceptionId={exception.exceptionId} />
          <TogetherNotices view={view} me={actor.personId} />
          <MisleadingNotice about={view} />
          <PlainAccount view={view} />
          {outage !== null && <OutagePanel outage={outage} />}
          <SettledPanel view={view} />
          <RequestNotice requests={view.requests} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <OtherExceptions others={view.others} />
          <ConflictPanel conflicts={view.conflicts} />
          <a
            href="#guide"
            className="w-fit text-sm text-accent underline underline-offset-3 @min-[64rem]:hidden"
          >
            {t('guide.title')} ↓
          </a>
          <EvidencePanel
            view={view}
            lookUp={actions.lookUpNowAction}
            addManual={actions.addManualEvidenceAction}
            settle={settle}
          />
          {execution === null && <ArrivalsPanel arrivals={view.arrivals} />}
        </div>
        {/* Beside the evidence and what follows it; on a narrow page between the two. */}
        <div className="flex min-w-0 flex-col gap-5 @min-[64rem]:row-span-2">
          <DeskPanel
            view={view}
            me={actor.personId}
            together={together}
            actions={{
              assign: actions.assignExceptionAction,
              comment: actions.commentExceptionAction,
              defer: actions.deferExceptionAction,
              linkTicket: actions.linkTicketAction,
              settle,
            }}
          />
          <DecisionDeskProvider view={view} actions={DECISION_ACTIONS} settle={settle}>
            <DecisionArea />
          </DecisionDeskProvider>
          <aside className="flex min-w-0 flex-col gap-4">
            {execution !== null && (
              <AskedPanel display={execution.display} expired={execution.state === 'EXPIRED'} />
            )}
            <GuidePanel guide={view.policy.guide} writeAt={writeAt} />
            {execution?.hasInput === true && (
              <InputReference
                executionId={execution.executionId}
                refusal={view.inputRefusal}
                authority={view.policy.authority}
                open={actions.openInputAction}
                settle={settle}
              />
            )}
            <ExposurePanel view={view} />
            {execution?.workflowId != null && (
              <WorkflowPanel workflowId={execution.workflowId} steps={view.steps} />
            )}
            <LineagePanel lineage={view.lineage} />
            <FactsPanel view={view} />
          </aside>
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <LifeLine facts={{ ...view, exceptions: [exception] }} listId="story" compact />
          <CallersPanel view={view} />
          <ExceptionTimeline view={view} id="story" />
        </div>
      </div>
    </div>
  );
}
