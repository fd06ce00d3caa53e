import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { AuditLink } from '@/components/audit/audit-link';
import { BreakGlassPanel } from '@/components/approval/break-glass-panel';
import { RequestKindBadge, RequestStateBadge } from '@/components/approval/request-badges';
import { RequestSheet } from '@/components/approval/request-sheet';
import { VerdictForm } from '@/components/approval/verdict-form';
import { WithdrawForm } from '@/components/approval/withdraw-form';
import { OutagePanel } from '@/components/incident/outage-panel';
import { AskedPanel } from '@/components/exception-detail/asked-panel';
import { GuidePanel } from '@/components/exception-detail/guide-panel';
import { WatchPage } from '@/components/exception-detail/watch-page';
import { WorkNatureBadge } from '@/components/exception/work-nature';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { ScrollPage } from '@/components/shell/scroll-page';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { visibleText } from '@/lib/domain/visible-text';
import { outageOf } from '@/lib/review/incidents/outage-of';
import { readContext } from '@/lib/review/read-context';
import { deskReader } from '@/lib/review/desk-context';
import { getRequest } from '@/lib/review/get-request';
import {
  breakGlassAction,
  decideRequestAction,
  reviewBreakGlassAction,
  settleOperationAction,
  withdrawRequestAction,
} from './actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('approvals'))('title') };
}

const NATURE = { REISSUE: 'NEW', CONFIRM_NOT_APPLIED: 'RECOVER', SETTLE_EFFECT: 'RECORD' } as const;

export default async function ApprovalPage({ params }: PageProps<'/approvals/[id]'>) {
  const actor = await requireActor();
  const request = await getRequest(deskReader(actor), (await params).id);
  if (request === null) notFound();
  const outage =
    request.execution === null ? await outageOf(readContext(actor), request.exception.exceptionId) : null;
  const t = await getTranslations('approvals.detail');
  return (
    <ScrollPage>
      <WatchPage active={request.state === 'APPROVED'} />
      <PageHeader
        back={<Link href="/approvals">← {t('back')}</Link>}
        title={t(`asks.${request.kind}`, {
          who: visibleText(request.requestedBy.name ?? request.requestedBy.id),
        })}
        badges={<RequestStateBadge state={request.state} />}
        actions={
          <>
            <AuditLink about="request" id={request.requestId} />
            <LiveRefresh renderedAt={request.now} />
          </>
        }
      />
      <div className="flex flex-col gap-2 px-4 pb-4 md:px-6">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <RequestKindBadge kind={request.kind} />
          <WorkNatureBadge nature={NATURE[request.kind]} />
        </div>
        <p className="max-w-prose text-base text-pretty">
          {t(
            `effect.${request.relation ?? (request.kind === 'SETTLE_EFFECT' ? 'SETTLE_EFFECT' : 'CONFIRM_NOT_APPLIED')}`,
          )}
        </p>
      </div>
      <div className="grid flex-1 content-start gap-x-5 gap-y-4 border-t border-line bg-canvas px-4 pt-4 pb-10 md:px-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {outage !== null && <OutagePanel outage={outage} />}
          <RequestSheet request={request} />
        </div>
        <aside className="flex min-w-0 flex-col gap-4">
          <VerdictForm request={request} decide={decideRequestAction} settle={settleOperationAction} />
          <BreakGlassPanel
            request={request}
            breakGlass={breakGlassAction}
            review={reviewBreakGlassAction}
            settle={settleOperationAction}
          />
          <WithdrawForm request={request} withdraw={withdrawRequestAction} settle={settleOperationAction} />
          {request.execution !== null && (
            <AskedPanel
              display={request.execution.display}
              expired={request.execution.state === 'EXPIRED'}
              {...(request.kind === 'REISSUE' ? { title: t('askedOriginal') } : {})}
            />
          )}
          <GuidePanel guide={request.policy.guide} writeAt={null} />
        </aside>
      </div>
    </ScrollPage>
  );
}
