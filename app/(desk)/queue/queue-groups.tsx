import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { KindBadge } from '@/components/exception/kind-badge';
import { SeverityMark } from '@/components/exception/severity-mark';
import { VisibleText } from '@/components/text/visible-text';
import { Age } from '@/components/time/age';
import { readCause } from '@/lib/domain/exception-cause';
import { isExceptionKind } from '@/lib/domain/exception-kinds';
import { type QueueGroup, type QueueGrouping } from '@/lib/domain/queue-groups';
import { writeQueueAddress, type QueueAddress } from './search-params';

interface QueueGroupsProps {
  groups: readonly QueueGroup[];
  by: QueueGrouping;
  address: QueueAddress;
  /** Outages by what they are of. */
  incidents: readonly { incidentId: string; system: string }[];
}

/** The queue put together by what its exceptions share; a group opens as the list of its rows. */
export function QueueGroups({ groups, by, address, incidents }: QueueGroupsProps) {
  const t = useTranslations('queue.groups');
  const nameOf = (value: string) => incidents.find((each) => each.incidentId === value)?.system ?? value;
  return (
    <ul aria-label={t('label')} data-frame className="relative min-h-0 flex-1 md:overflow-auto">
      {groups.map((group) => (
        <li
          key={group.value ?? ''}
          className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1 border-b border-line px-4 py-3 text-sm hover:bg-hover md:grid-cols-[minmax(0,1fr)_7rem_9rem_6rem] md:px-6"
        >
          <GroupName group={group} by={by} address={address} nameOf={nameOf} />
          <span className="max-md:hidden">
            <SeverityMark severity={group.severity} />
          </span>
          <span className="text-ink-muted max-md:col-start-1">
            {t.rich('oldest', { age: () => <Age since={group.oldest} until={null} className="tabular" /> })}
          </span>
          <span className="tabular text-right font-medium max-md:col-start-2 max-md:row-start-1">
            {t('count', { count: `${group.count}${group.more ? '+' : ''}` })}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface GroupNameProps {
  group: QueueGroup;
  by: QueueGrouping;
  address: QueueAddress;
  nameOf: (value: string) => string;
}

function GroupName({ group: { value }, by, address, nameOf }: GroupNameProps) {
  const t = useTranslations('queue.groups');
  // What has no such value cannot be asked for alone: it is told, and opens nothing.
  if (value === null) return <span className="text-ink-muted">{t(`none.${by}`)}</span>;
  const narrowed = { ...address, group: null, cursor: null, [by]: by === 'incident' ? value : [value] };
  return (
    <Link
      href={`/queue${writeQueueAddress(narrowed)}`}
      prefetch={false}
      data-row-link
      className="min-w-0 font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      {isExceptionKind(value) ? (
        <KindBadge kind={value} />
      ) : by === 'cause' ? (
        <CauseName cause={value} />
      ) : (
        <VisibleText text={nameOf(value)} />
      )}
    </Link>
  );
}

/** The executor's own code as it was reported, the ledger's reasons in words; then where. */
function CauseName({ cause }: { cause: string }) {
  const t = useTranslations('queue.groups.cause');
  const { reason, code, system } = readCause(cause);
  return (
    <>
      {reason === null ? <VisibleText text={code} /> : t(reason)}
      {system !== null && (
        <span className="font-normal text-ink-muted">
          {' · '}
          <VisibleText text={system} />
        </span>
      )}
    </>
  );
}
