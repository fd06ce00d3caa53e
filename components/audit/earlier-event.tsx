import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { isRole } from '@/lib/domain/actor';
import { memberOf } from '@/lib/domain/audit-body';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { readAuditEvent } from '@/lib/domain/audit-told';
import { type KeptLook } from '@/lib/domain/kept-look';
import { Instant } from '../time/instant';
import { VisibleText } from '../text/visible-text';
import { FactList } from '../ui/fact-list';
import { Panel } from '../ui/panel';
import { AuditActor } from './audit-actor';
import { LookFacts } from './look-facts';
import { MemberValue } from './member-value';
import { useMemberWords } from './member-words';

interface EarlierEventProps {
  title: string;
  event: AuditRecord;
  /** The act that stands on it. */
  decided: AuditRecord;
  me: string;
  /** People by their ids. */
  names: Readonly<Record<string, string>>;
  /** Looks by their ids, and the events that recorded them. */
  looks: ReadonlyMap<string, KeptLook>;
  lookEvents?: ReadonlyMap<string, AuditRecord> | undefined;
}

/** An earlier event in full: who, when, what was written and found. */
export function EarlierEvent({ title, event, decided, me, names, looks, lookEvents }: EarlierEventProps) {
  const t = useTranslations('audit');
  const roleNames = useTranslations('common.roles');
  const { nameOf, termOf } = useMemberWords();
  const { rationale, details } = readAuditEvent(event);
  const look = looks.get(memberOf(event, 'lookupId') ?? '');
  const roles = event.actorRoles.filter(isRole).map((role) => roleNames(role));
  return (
    <Panel
      title={title}
      aside={
        <Link href={`/audit/${event.number}`} className="text-sm text-accent underline underline-offset-2">
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
          meaning: termOf(detail.name),
          value: <MemberValue {...detail} {...{ names, lookEvents }} />,
          wide: detail.values.join(' · ').length > 40,
        }))}
      />
      {look !== undefined && <LookFacts look={look} recorded={event} decided={decided} />}
    </Panel>
  );
}
