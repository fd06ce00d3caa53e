import { ScrollText } from 'lucide-react';
import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { AskedContent } from '@/components/audit/asked-content';
import { BodyPanels } from '@/components/audit/body-panels';
import { CircumstanceFacts } from '@/components/audit/circumstance-facts';
import { EventContext } from '@/components/audit/event-context';
import { EventName } from '@/components/audit/event-name';
import { LedgerSincePanel } from '@/components/audit/ledger-since-panel';
import { LookFacts } from '@/components/audit/look-facts';
import { OutcomeBadge } from '@/components/audit/outcome-badge';
import { RecordedText } from '@/components/audit/recorded-text';
import { SignedByText } from '@/components/audit/signed-by-text';
import { StoryList } from '@/components/audit/story-list';
import { ScrollPage } from '@/components/shell/scroll-page';
import { classNames } from '@/components/ui/class-names';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { requireActor } from '@/lib/access/actor';
import { readHead } from '@/lib/audit/audit-records';
import { readRetirements, type RetiredRange } from '@/lib/audit/retirements';
import { signedBy } from '@/lib/audit/signed-by';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { memberOf } from '@/lib/domain/audit-body';
import { missingGrounds, originalEffectOf } from '@/lib/domain/audit-grounds';
import { auditContext, decidedIn, lookEventsOf } from '@/lib/domain/audit-story';
import { hasRoleFor } from '@/lib/domain/permissions';
import { getAuditEvent } from '@/lib/review/get-audit-event';
import { readAskedConflict } from '@/lib/review/read-arrivals';
import { readKeptLooks } from '@/lib/review/read-kept-looks';
import { listTenants } from '@/lib/review/list-tenants';
import { readAskedTerms } from '@/lib/review/read-asked-terms';
import { readContext, type ReadContext } from '@/lib/review/read-context';
import { readLedgerSince } from '@/lib/review/read-ledger-since';
import { auditAddress } from '../search-params';
import { NotGivenYet } from './not-given-yet';
import { RetiredEvent } from './retired-event';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('audit'))('title') };
}

/** Digits of the largest bigint less one, so that every match is one. */
const NUMBER = /^[1-9]\d{0,17}$/;

export default async function AuditEventPage({ params }: { params: Promise<{ number: string }> }) {
  const actor = await requireActor();
  const { number } = await params;
  const ctx = readContext(actor);
  const found = NUMBER.test(number) ? await getAuditEvent(ctx, BigInt(number)) : null;
  const retired = await readRetirements();
  if (found === null) return <Missing ctx={ctx} number={number} retired={retired} />;
  const { event, story, names } = found;
  const context = auditContext(event, story);
  const grounds = missingGrounds(event, context.request);
  const lookupIds = [event, context.shown, context.evidence].flatMap(
    (each) => (each && memberOf(each, 'lookupId')) || [],
  );
  const [t, tenants, since, looks, checkpoint, conflict, terms] = await Promise.all([
    getTranslations('audit'),
    listTenants(ctx),
    readLedgerSince(ctx, event),
    readKeptLooks(ctx, lookupIds),
    signedBy(event.number, ctx.db),
    event.approvalRequestId && readAskedConflict(ctx.db, event.approvalRequestId, ctx.actor.tenantIds),
    event.approvalRequestId === null ? null : readAskedTerms(ctx, event.approvalRequestId),
  ]);
  const own = looks.get(memberOf(event, 'lookupId') ?? '');
  const lookEvents = lookEventsOf(story);
  const anchor = retired.at(-1);
  const tenantName = tenants.find((tenant) => tenant.tenantId === event.tenantId)?.displayName ?? null;
  return (
    <ScrollPage>
      <PageHeader
        back={
          <Link href="/audit" className="inline-flex items-center gap-1 text-ink-muted hover:text-ink">
            <ScrollText aria-hidden className="size-3.5" />
            {t('detail.back')}
          </Link>
        }
        title={<EventName event={event.event} />}
        badges={<OutcomeBadge event={event} />}
        lead={t('detail.title', { number: event.number })}
      />
      <div
        className={classNames(
          'grid items-start gap-4 px-4 pb-8 md:px-6',
          story.length > 1 ? 'xl:grid-cols-[minmax(0,1fr)_24rem]' : 'max-w-4xl',
        )}
      >
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title={t('detail.what')}>
            <CircumstanceFacts
              event={event}
              tenantName={tenantName}
              me={actor.personId}
              decided={decidedIn(event, story)}
              {...{ names, terms }}
            />
          </Panel>
          <BodyPanels event={event} noReason={grounds.noReason} names={names} lookEvents={lookEvents} />
          {conflict && <AskedContent conflict={conflict} event={event} request={context.request} />}
          {own !== undefined && (
            <Panel title={t('look.title')}>
              <LookFacts look={own} recorded={event} decided={null} />
            </Panel>
          )}
          <EventContext
            event={event}
            context={context}
            story={story}
            noLook={grounds.noLook}
            originalEffect={originalEffectOf(event)}
            looks={looks}
            lookEvents={lookEvents}
            me={actor.personId}
            names={names}
          />
          {since !== null && <LedgerSincePanel since={since} />}
          <SignedByText checkpoint={checkpoint} />
          <RecordedText event={event} />
          {anchor !== undefined && (
            <p className="text-xs text-ink-muted">
              {t('retired.story', { last: anchor.last.toString() })}{' '}
              <Link
                href={`/audit/${anchor.eventNumber}`}
                className="text-accent underline-offset-2 hover:underline"
              >
                {t('detail.title', { number: anchor.eventNumber.toString() })}
              </Link>
            </p>
          )}
        </div>
        {story.length > 1 && (
          <Panel
            title={t('detail.story')}
            aside={
              <LinkButton size="sm" look="ghost" href={`/audit${storyAddress(event)}`}>
                {t('detail.allOfStory')}
              </LinkButton>
            }
          >
            <p className="mb-3 text-xs text-ink-muted">{t('detail.storyLead')}</p>
            <StoryList story={story} present={event.number} me={actor.personId} />
          </Panel>
        )}
      </div>
    </ScrollPage>
  );
}

interface MissingProps {
  ctx: ReadContext;
  number: string;
  retired: readonly RetiredRange[];
}

/** Why there is nothing to show: it has left, nothing has the number yet, or it is not this reader's to see. */
async function Missing({ ctx, number, retired }: MissingProps) {
  if (!NUMBER.test(number) || !hasRoleFor(ctx.actor, 'audit.read')) notFound();
  const range = rangeOf(retired, BigInt(number));
  if (range !== undefined) return <RetiredEvent number={number} range={range} />;
  const { last } = await readHead(ctx.db);
  if (BigInt(number) <= last) notFound();
  return <NotGivenYet last={last.toString()} />;
}

const rangeOf = (retired: readonly RetiredRange[], number: bigint): RetiredRange | undefined =>
  retired.find(({ first, last }) => first <= number && number <= last);

/** The list narrowed to what the event is about: the exception if there is one, else the execution, else the request. */
function storyAddress(event: AuditRecord): string {
  if (event.exceptionId !== null) return auditAddress({ exception: event.exceptionId });
  if (event.executionId !== null) return auditAddress({ execution: event.executionId });
  return auditAddress({ request: event.approvalRequestId });
}
