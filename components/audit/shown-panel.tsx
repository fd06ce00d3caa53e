import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { memberOf } from '@/lib/domain/audit-body';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { snapshotVersion } from '@/lib/domain/audit-grounds';
import { shownThen, type ArrivalsBetween, type ShownThen } from '@/lib/domain/audit-shown';
import { readAuditEvent } from '@/lib/domain/audit-told';
import { type ConflictView } from '@/lib/domain/exception-view';
import { type KeptLook } from '@/lib/domain/kept-look';
import { OneConflict } from '../exception-detail/conflict-panel';
import { ReissueExposureFacts } from '../exposure/reissue-exposure';
import { KeyText } from '../text/key-text';
import { Instant } from '../time/instant';
import { Explained } from '../ui/explained';
import { Panel } from '../ui/panel';
import { LookFacts } from './look-facts';
import { LookLink } from './look-link';
import { MemberValue } from './member-value';

interface ShownPanelProps {
  event: AuditRecord;
  /** The request that the event answers or carries out; null when it is the request itself, or there is none. */
  request: AuditRecord | null;
  /** The arrival that the request is about, beside what was stored. */
  conflict: ConflictView | null;
  /** Looks by their ids, and the events that recorded them. */
  looks: ReadonlyMap<string, KeptLook>;
  lookEvents: ReadonlyMap<string, AuditRecord>;
  /** What arrived after the look that was shown. */
  arrivals: ArrivalsBetween | null;
}

/** What whoever asked or decided had before them, under the same heads for every kind of act, each with where it is kept (R-088v). */
export function ShownPanel(props: ShownPanelProps) {
  const t = useTranslations('audit.shown');
  const { event, request, conflict } = props;
  const shown = shownThen(event, request);
  if (shown === null) return null;
  const stake = readAuditEvent(event).details.find(({ name }) => name === 'stakeAmount');
  return (
    <Panel title={t(`title.${shown.to}`)}>
      <div className="flex flex-col gap-4">
        <Part title={t('look')}>
          <ShownLook shown={shown} {...props} />
        </Part>
        {conflict !== null && <ShownContent conflict={conflict} event={event} request={request} />}
        {shown.exposure !== null && shown.relation !== null && (
          <Part title={t('exposure')}>
            <ReissueExposureFacts
              relation={shown.relation}
              exposure={shown.exposure}
              sameContent={conflict === null}
            />
            <Kept>{t('inEvent')}</Kept>
          </Part>
        )}
        {stake !== undefined && (
          <Part title={t('stake')}>
            <p className="text-sm">
              <MemberValue {...stake} />
            </p>
            <Kept>{t('inEvent')}</Kept>
          </Part>
        )}
        <Kept>{t('notKept')}</Kept>
      </div>
    </Panel>
  );
}

function ShownLook({ shown, event, looks, lookEvents, arrivals }: { shown: ShownThen } & ShownPanelProps) {
  const t = useTranslations('audit.shown');
  const id = shown.lookupId ?? '';
  const [kept, recorded] = [looks.get(id), lookEvents.get(id)];
  if (shown.look !== 'LOOK') return <p className="text-sm">{t(`noLook.${shown.look}`)}</p>;
  if (recorded === undefined)
    return <p className="text-sm">{t.rich('lookElsewhere', { id: () => <KeyText value={id} /> })}</p>;
  return (
    <>
      <p className="text-sm">
        <LookLink look={recorded} role="SHOWN" />. {t(`restsOn.${shown.restsOn}`)}{' '}
        <Basis shown={shown} lookEvents={lookEvents} />
      </p>
      <Arrivals arrivals={arrivals} />
      {kept !== undefined && <LookFacts look={kept} recorded={recorded} decided={event} />}
      <Kept>
        {t.rich('lookKept', {
          number: recorded.number,
          digest: () => <KeyText value={memberOf(recorded, 'evidenceDigest') ?? ''} />,
        })}
      </Kept>
    </>
  );
}

/** Where the act rests on another look than the one shown: which one, and that it is the request's where it is. */
function Basis({ shown, lookEvents }: { shown: ShownThen } & Pick<ShownPanelProps, 'lookEvents'>) {
  const t = useTranslations('audit.shown');
  if (shown.basisId === null) return null;
  const recorded = lookEvents.get(shown.basisId);
  return (
    <>
      {shown.restsOn === 'OTHER' &&
        (recorded === undefined ? (
          <KeyText value={shown.basisId} />
        ) : (
          <LookLink look={recorded} role="BASIS" />
        ))}
      {shown.restsOn === 'OTHER' && '. '}
      {shown.basisOfRequest && t('restsOn.OF_REQUEST')}
    </>
  );
}

/** What was not yet there when the look was made. */
function Arrivals({ arrivals }: { arrivals: ArrivalsBetween | null }) {
  const t = useTranslations('audit.shown');
  const answers = useTranslations('glossary');
  if (arrivals === null) return <Kept>{t('noArrival')}</Kept>;
  const { count, lastAt, answer } = arrivals;
  return (
    <p className="text-sm text-caution">
      {t.rich('arrivals', {
        count,
        answer: answers(`disposition.${answer}`),
        explained: (words) => <Explained meaning={answers(`dispositionMeans.${answer}`)}>{words}</Explained>,
        time: () => <Instant at={lastAt} look="full" className="tabular" />,
      })}
    </p>
  );
}

function ShownContent({
  conflict,
  event,
  request,
}: Pick<ShownPanelProps, 'event' | 'request'> & { conflict: ConflictView }) {
  const t = useTranslations('audit.shown');
  const version = snapshotVersion(request ?? event);
  const digest = memberOf(event, 'digest') ?? (request && memberOf(request, 'digest'));
  return (
    <Part title={t('content')}>
      <OneConflict conflict={conflict} />
      <Kept>
        {version !== null && t('contentVersion', { version })} {t('contentKept')}{' '}
        {digest !== null && t.rich('contentDigest', { digest: () => <KeyText value={digest} /> })}
      </Kept>
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}

/** Where something is kept, and whether the chain covers it. */
function Kept({ children }: { children: ReactNode }) {
  return <p className="text-xs text-ink-muted">{children}</p>;
}
