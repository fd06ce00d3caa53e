import { ScrollText } from 'lucide-react';
import { type Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { cache } from 'react';
import { AfterPanel } from '@/components/audit/after-panel';
import { BodyPanels } from '@/components/audit/body-panels';
import { CircumstanceFacts } from '@/components/audit/circumstance-facts';
import { EventContext } from '@/components/audit/event-context';
import { EventName } from '@/components/audit/event-name';
import { LookFacts } from '@/components/audit/look-facts';
import { OutcomeBadge } from '@/components/audit/outcome-badge';
import { RecordedText } from '@/components/audit/recorded-text';
import { ShownPanel } from '@/components/audit/shown-panel';
import { SignedByText } from '@/components/audit/signed-by-text';
import { ScrollPage } from '@/components/shell/scroll-page';
import { classNames } from '@/components/ui/class-names';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { requireActor } from '@/lib/access/actor';
import { readRetirements } from '@/lib/audit/retirements';
import { attemptOf } from '@/lib/domain/act-stage';
import { isAuditEventName, type AuditRecord } from '@/lib/domain/audit-events';
import { originalEffectOf } from '@/lib/domain/audit-grounds';
import { toldElsewhere } from '@/lib/domain/audit-shown';
import { decidedIn, lookStart } from '@/lib/domain/audit-story';
import { getAuditEvent } from '@/lib/review/get-audit-event';
import { readContext } from '@/lib/review/read-context';
import { NUMBER } from './event-number';
import { MissingEvent } from './missing-event';
import { readAround } from './read-around';
import { StoryPanel } from './story-panel';

interface PageAddress {
  params: Promise<{ number: string }>;
}

/** Once for the page and for its title. */
const readEvent = cache(async (number: string) => {
  const actor = await requireActor();
  const ctx = readContext(actor);
  return { actor, ctx, found: NUMBER.test(number) ? await getAuditEvent(ctx, BigInt(number)) : null };
});

export async function generateMetadata({ params }: PageAddress): Promise<Metadata> {
  const t = await getTranslations('audit');
  const { found } = await readEvent((await params).number);
  return { title: found === null ? t('title') : await documentTitle(found.event) };
}

export default async function AuditEventPage({ params }: PageAddress) {
  const { number } = await params;
  const { actor, ctx, found } = await readEvent(number);
  const retired = await readRetirements();
  if (found === null) return <MissingEvent ctx={ctx} number={number} retired={retired} />;
  const { event, story, names } = found;
  const { context, grounds, shown, look, since, looks, lookEvents, checkpoint, terms, tenants } =
    await readAround(ctx, found);
  const t = await getTranslations('audit');
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
        title={<EventName event={event} />}
        badges={<OutcomeBadge event={event} />}
        lead={t('detail.title', { number: event.number })}
      />
      <div
        className={classNames(
          'grid items-start gap-4 px-4 pb-8 md:px-6',
          isAbout(event) ? 'xl:grid-cols-[minmax(0,1fr)_26rem]' : 'max-w-4xl',
        )}
      >
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title={t('detail.what')}>
            <CircumstanceFacts
              event={event}
              tenantName={tenantName}
              me={actor.personId}
              decided={decidedIn(event, story)}
              {...{ names, terms, story }}
            />
          </Panel>
          <ShownPanel event={event} request={context.request} {...{ looks, lookEvents }} {...shown} />
          <BodyPanels
            event={event}
            noReason={grounds.noReason}
            told={toldElsewhere(event, context.evidence !== null)}
            {...{ names, lookEvents }}
          />
          {look !== undefined && (
            <Panel title={t('look.title')}>
              <LookFacts look={look} recorded={event} decided={null} started={lookStart(event, story)} />
            </Panel>
          )}
          <EventContext
            event={event}
            context={context}
            noLook={grounds.noLook}
            originalEffect={originalEffectOf(event)}
            me={actor.personId}
            {...{ looks, lookEvents, names }}
          />
          <SignedByText checkpoint={checkpoint} />
          <RecordedText event={event} />
          {anchor !== undefined && (
            <p className="text-xs text-ink-muted">
              {t('retired.story', { last: anchor.last.toString() })}{' '}
              <Link
                href={`/audit/${anchor.eventNumber}`}
                className="text-accent underline underline-offset-2"
              >
                {t('detail.title', { number: anchor.eventNumber.toString() })}
              </Link>
            </p>
          )}
        </div>
        {isAbout(event) && (
          <div className="flex min-w-0 flex-col gap-4">
            <AfterPanel after={context.after} me={actor.personId} {...{ event, story, since, names }} />
            <StoryPanel me={actor.personId} {...{ event, story, names }} />
          </div>
        )}
      </div>
    </ScrollPage>
  );
}

const isAbout = ({ exceptionId, executionId, approvalRequestId }: AuditRecord): boolean =>
  exceptionId !== null || executionId !== null || approvalRequestId !== null;

async function documentTitle(record: AuditRecord): Promise<string> {
  const t = await getTranslations('audit');
  const { number, event } = record;
  const attempt = attemptOf(record);
  const title = isAuditEventName(event) ? t(`event.${event}`) : event;
  return t('detail.documentTitle', {
    number,
    event: attempt === null ? title : `${t(`attempt.${attempt}`)}: ${title}`,
  });
}
