import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { sameSecond, standingOf } from '@/lib/domain/audit-story';
import { visibleText } from '@/lib/domain/visible-text';
import { Instant } from '../time/instant';
import { classNames } from '../ui/class-names';
import { AuditActor } from './audit-actor';
import { EventName } from './event-name';
import { useMemberWords } from './member-words';
import { OutcomeBadge } from './outcome-badge';
import { Summary } from './summary';

interface StoryListProps {
  story: readonly AuditRecord[];
  /** Everything that the story tells, where the list is a part of it. */
  whole?: readonly AuditRecord[];
  /** The number of the event whose page this is. */
  present: string;
  me: string;
  /** People by their ids. */
  names: Readonly<Record<string, string>>;
  /** What the list is called. */
  label: string;
}

/** What happened around an event, in order; the event itself is marked. */
export function StoryList({ story, whole = story, present, me, names, label }: StoryListProps) {
  const t = useTranslations('audit.detail');
  const words = useTranslations('audit');
  const { told } = useMemberWords();
  const close = sameSecond(whole);
  return (
    <ol aria-label={label} className="flex flex-col">
      {story.map((event) => (
        <li
          key={event.eventId}
          className={classNames(
            'border-l-2 py-2 pl-3',
            event.number === present ? 'border-accent' : 'border-line',
          )}
        >
          <div className="flex flex-wrap items-center gap-x-2">
            <span className="tabular text-xs text-ink-muted">{t('number', { number: event.number })}</span>
            <StepName event={event} present={event.number === present} />
            {event.outcome !== 'done' && <OutcomeBadge event={event} />}
            <Instant
              at={event.occurredAt}
              look={close.has(event.number) ? 'exact' : 'full'}
              className="ml-auto text-xs text-ink-muted"
            />
          </div>
          <div className="mt-0.5 text-xs">
            <AuditActor kind={event.actorKind} id={event.actorId} name={event.actorName} me={me} linked />
          </div>
          <p className="mt-0.5 line-clamp-3 text-xs text-ink-muted">
            <Summary
              event={event}
              names={names}
              lead={
                event.refusalCode === null
                  ? null
                  : words('refusedAs', { reason: visibleText(told('refusalCode', [event.refusalCode])) })
              }
            />
          </p>
          <Standing event={event} story={whole} />
        </li>
      ))}
    </ol>
  );
}

function StepName({ event, present }: { event: AuditRecord; present: boolean }) {
  if (present) {
    return (
      <span aria-current="true" className="text-sm font-semibold">
        <EventName event={event} />
      </span>
    );
  }
  return (
    <Link
      href={`/audit/${event.number}`}
      className="inline-flex min-h-6 items-center text-sm font-medium underline-offset-2 hover:underline"
    >
      <EventName event={event} />
    </Link>
  );
}

/** Whose execution the line is about, and that the approver had not seen the look. */
function Standing({ event, story }: { event: AuditRecord; story: readonly AuditRecord[] }) {
  const t = useTranslations('audit.detail');
  const looks = useTranslations('lookup');
  const { about, afterApproval } = standingOf(event, story);
  if (about === null && !afterApproval) return null;
  return (
    <p className="mt-0.5 text-xs">
      {about !== null && t(`about.${about}`)} {afterApproval && looks('settledOn.AFTER_APPROVAL')}
    </p>
  );
}
