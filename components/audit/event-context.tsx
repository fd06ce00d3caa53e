import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { isRole } from '@/lib/domain/actor';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { readAuditEvent } from '@/lib/domain/audit-told';
import { type AuditContext } from '@/lib/domain/audit-story';
import { Instant } from '../time/instant';
import { VisibleText } from '../text/visible-text';
import { FactList } from '../ui/fact-list';
import { Panel } from '../ui/panel';
import { AuditActor } from './audit-actor';
import { MemberValue } from './member-value';
import { useMemberWords } from './member-words';
import { StoryList } from './story-list';

/** What the event answers, on what evidence it stands, and what happened after: each only where there is any. */
export function EventContext({
  context,
  present,
  me,
  names,
}: {
  context: AuditContext;
  present: string;
  me: string;
  /** People by their ids. */
  names: Readonly<Record<string, string>>;
}) {
  const t = useTranslations('audit.detail');
  const { request, shown, evidence, after } = context;
  return (
    <>
      {request !== null && <Earlier title={t('asked')} event={request} me={me} names={names} />}
      {shown !== null && <Earlier title={t('shown')} event={shown} me={me} names={names} />}
      {evidence !== null && (
        <Earlier title={t(`evidenceMade.${context.moment}`)} event={evidence} me={me} names={names} />
      )}
      {after.length > 0 && (
        <Panel title={t('came')}>
          <StoryList story={after} present={present} me={me} label={t('came')} />
        </Panel>
      )}
    </>
  );
}

interface EarlierProps {
  title: string;
  event: AuditRecord;
  me: string;
  names: Readonly<Record<string, string>>;
}

/** An earlier event in full: who, when, what was written and found. */
function Earlier({ title, event, me, names }: EarlierProps) {
  const t = useTranslations('audit');
  const roleNames = useTranslations('common.roles');
  const { nameOf } = useMemberWords();
  const { rationale, details } = readAuditEvent(event);
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
        <AuditActor kind={event.actorKind} id={event.actorId} name={event.actorName} me={me} />
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
          value: <MemberValue {...detail} names={names} />,
          wide: detail.values.join(' · ').length > 40,
        }))}
      />
    </Panel>
  );
}
