import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { isRole } from '@/lib/domain/actor';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { readAuditEvent } from '@/lib/domain/audit-told';
import { type AuditContext } from '@/lib/domain/audit-story';
import { type OriginalEffect } from '@/lib/domain/reissue-exposure';
import { type KeptLook } from '@/lib/domain/kept-look';
import { memberOf } from '@/lib/domain/audit-body';
import { Instant } from '../time/instant';
import { VisibleText } from '../text/visible-text';
import { FactList } from '../ui/fact-list';
import { Panel } from '../ui/panel';
import { AuditActor } from './audit-actor';
import { LookFacts } from './look-facts';
import { MemberValue } from './member-value';
import { useMemberWords } from './member-words';
import { StoryList } from './story-list';

interface EventContextProps {
  event: AuditRecord;
  context: AuditContext;
  /** Everything that the story tells. */
  story: readonly AuditRecord[];
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

/** What the event answers, on what evidence it stands, and what happened after: each only where there is any. */
export function EventContext({
  event,
  context,
  story,
  noLook,
  originalEffect,
  looks,
  lookEvents,
  me,
  names,
}: EventContextProps) {
  const t = useTranslations('audit.detail');
  const { request, shown, evidence, after } = context;
  const common = { me, names, looks, lookEvents, decided: event };
  return (
    <>
      {request !== null && <Earlier title={t('asked')} event={request} {...common} />}
      {shown !== null && <Earlier title={t('shown')} event={shown} {...common} />}
      {evidence !== null && (
        <Earlier title={t(`evidenceMade.${context.moment}`)} event={evidence} {...common} />
      )}
      {noLook && (
        <Panel title={t('grounds')}>
          <p className="text-sm">
            {t('noLook')} {originalEffect !== null && t(`ledgerSays.${originalEffect}`)}
          </p>
        </Panel>
      )}
      {after.length > 0 && (
        <Panel title={t('came')}>
          <StoryList story={after} whole={story} present={event.number} me={me} label={t('came')} />
        </Panel>
      )}
    </>
  );
}

interface EarlierProps extends Pick<EventContextProps, 'me' | 'names' | 'looks' | 'lookEvents'> {
  title: string;
  event: AuditRecord;
  /** The act that stands on it. */
  decided: AuditRecord;
}

/** An earlier event in full: who, when, what was written and found. */
function Earlier({ title, event, decided, me, names, looks, lookEvents }: EarlierProps) {
  const t = useTranslations('audit');
  const roleNames = useTranslations('common.roles');
  const { nameOf } = useMemberWords();
  const { rationale, details } = readAuditEvent(event);
  const look = looks.get(memberOf(event, 'lookupId') ?? '');
  const roles = event.actorRoles.filter(isRole).map((role) => roleNames(role));
  return (
    <Panel
      title={title}
      aside={
        <Link
          href={`/audit/${event.number}`}
          className="text-sm text-accent underline-offset-2 hover:underline"
        >
          {t('detail.title', { number: event.number })}
        </Link>
      }
    >
      <div className="mb-3 flex flex-wrap items-center gap-x-3 text-sm">
        <AuditActor kind={event.actorKind} id={event.actorId} name={event.actorName} me={me} linked />
        {roles.length > 0 && <span className="text-ink-muted">{roles.join(' · ')}</span>}
        <Instant at={event.occurredAt} look="full" className="tabular text-ink-muted" />
      </div>
      {rationale !== null && (
        <p className="mb-3 max-w-prose text-sm">
          <VisibleText text={rationale} paragraphs />
        </p>
      )}
      <FactList
        absent={t('detail.absent')}
        facts={details.map((detail) => ({
          term: nameOf(detail.name),
          value: <MemberValue {...detail} {...{ names, lookEvents }} />,
          wide: detail.values.join(' · ').length > 40,
        }))}
      />
      {look !== undefined && <LookFacts look={look} recorded={event} decided={decided} />}
    </Panel>
  );
}
