import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type Amount } from '@/lib/domain/amount';
import { memberOf } from '@/lib/domain/audit-body';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { knownOutside, type Aftermath, type LedgerSince } from '@/lib/domain/ledger-since';
import { OutsideLink } from '../evidence/outside-link';
import { AmountText } from '../execution/amount-text';
import { DispositionBadge } from '../execution/disposition-badge';
import { StateBadge } from '../execution/state-badge';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { FactList, type Fact } from '../ui/fact-list';
import { LookLink } from './look-link';

interface LedgerSinceFactsProps {
  since: LedgerSince;
  event: AuditRecord;
  /** The last look at the event's execution before the event. */
  before: AuditRecord | null;
  /** What executions are worth, by their ids, where an event told it in clear. */
  amounts: ReadonlyMap<string, Amount>;
}

/** What became of the work since the event: read from the ledger now, and said to be no part of the chain. */
export function LedgerSinceFacts({ since, event, before, amounts }: LedgerSinceFactsProps) {
  const t = useTranslations('audit.since');
  const relations = useTranslations('glossary.relation');
  const { made } = since;
  return (
    <section aria-label={t('title')} className="flex flex-col gap-4">
      <div>
        <h3 className="text-sm font-semibold">{t('title')}</h3>
        <p className="mt-0.5 text-xs text-ink-muted">{t('lead')}</p>
      </div>
      {made.map((each) => (
        <One
          key={each.executionId}
          title={t('new', { relation: each.relation === null ? t('none') : relations(each.relation) })}
          of={each}
          amount={amounts.get(each.executionId)}
          first={{ term: t('madeAt'), value: <Instant at={each.madeAt} look="full" className="tabular" /> }}
        />
      ))}
      <One
        title={t(made.length === 0 ? 'only' : 'original')}
        of={since}
        amount={amounts.get(since.executionId)}
        since={{ event, before }}
      />
    </section>
  );
}

interface OneProps {
  title: string;
  of: Aftermath;
  amount: Amount | undefined;
  first?: Fact;
  /** Only what came after this event is told; without, its whole life. */
  since?: Pick<LedgerSinceFactsProps, 'event' | 'before'>;
}

function One({ title, of, amount, first, since }: OneProps) {
  const t = useTranslations('audit.since');
  const words = useTranslations('words');
  const effects = useKnownEffects(of, since?.before ?? null);
  const { resultId, resultUrl } = of;
  const result = resultId === null ? null : <KeyText value={resultId} />;
  return (
    <section aria-label={title} className="border-t border-line pt-3 first:border-t-0 first:pt-0">
      <h4 className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 text-sm font-semibold">
        <span>
          {title}{' '}
          {since && <Instant at={since.event.occurredAt} look="full" className="tabular font-normal" />}
        </span>
        <Link
          href={`/executions/${of.executionId}`}
          className="text-sm font-normal text-accent underline-offset-2 hover:underline"
        >
          {t('open')}
        </Link>
      </h4>
      <FactList
        className="sm:grid-cols-2"
        absent={t('none')}
        facts={[
          { term: t('key'), value: <KeyText value={of.key} />, wide: true },
          ...(first === undefined ? [] : [first]),
          ...(amount === undefined ? [] : [{ term: t('amount'), value: <AmountText amount={amount} /> }]),
          {
            term: t('state'),
            value: <StateNow of={of} />,
            wide: of.endedAs !== null,
          },
          { term: t('effects'), value: effects },
          {
            term: t('result'),
            value:
              resultUrl === null ? result : <OutsideLink href={resultUrl}>{result ?? resultUrl}</OutsideLink>,
          },
          {
            term: t(since === undefined ? 'attemptsAll' : 'attempts'),
            value: <Attempts of={of} />,
            wide: true,
          },
          {
            term: t(since === undefined ? 'arrivalsAll' : 'arrivals'),
            meaning: words('intake.means'),
            value: <Arrivals of={of} />,
            wide: true,
          },
          {
            term: t(since === undefined ? 'outside' : 'outsideSince'),
            value: <Outside of={of} all={since === undefined} />,
            wide: true,
          },
          ...(since === undefined
            ? []
            : [
                {
                  term: t('outsideBefore'),
                  value: since.before === null ? t('noLookBefore') : <LookLink look={since.before} />,
                  wide: true,
                },
              ]),
        ]}
      />
    </section>
  );
}

/** An expired record says how its execution had ended before: expiry is no outcome (R-088ah). */
function StateNow({ of: { state, stateSince, endedAs } }: { of: Aftermath }) {
  const t = useTranslations('audit.since');
  const now = (
    <Told at={stateSince}>
      <StateBadge state={state} look="plain" explain />
    </Told>
  );
  if (endedAs === null) return now;
  const ended = <StateBadge state={endedAs.state} look="plain" explain />;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <span className="inline-flex flex-wrap items-center gap-x-2">
        {t('endedAs')} {ended}
        {endedAs.at !== null && <Told at={endedAs.at}>{t('lastOver')}</Told>}
      </span>
      {now}
    </span>
  );
}

/** How many effects are known now (R-088ah): the ledger's own success, or what the last look has shown, since or before. */
function useKnownEffects(of: Aftermath, before: AuditRecord | null): string {
  const t = useTranslations('audit.since');
  const ended = of.endedAs?.state ?? of.state;
  const looked = of.looks?.verdict ?? (before && memberOf(before, 'verdict'));
  // A look that found several says so by what came back; it settles nothing.
  if (of.looks?.event && memberOf(of.looks.event, 'outcome') === 'MULTIPLE') return t('effectsSeveral');
  return t('effectCount', { count: ended === 'SUCCEEDED' || looked === 'APPLIED' ? 1 : 0 });
}

function Told({ at, children }: { at: string; children: React.ReactNode }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {children}
      <Instant at={at} look="full" className="tabular text-ink-muted" />
    </span>
  );
}

function Attempts({ of: { attempts } }: { of: Aftermath }) {
  const t = useTranslations('audit.since');
  if (attempts === null) return t('noAttempt');
  const { count, firstAt, lastOwner, effectAt, endedAt } = attempts;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <Told at={firstAt}>{t('attemptCount', { count })}</Told>
      <span>
        {t('by')} <VisibleText text={lastOwner} />
      </span>
      {effectAt !== null && <Told at={effectAt}>{t('effect')}</Told>}
      {endedAt === null ? t('notEnded') : <Told at={endedAt}>{t('ended')}</Told>}
    </span>
  );
}

function Arrivals({ of: { arrivals } }: { of: Aftermath }) {
  const t = useTranslations('audit.since');
  if (arrivals === null) return t('noArrival');
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Told at={arrivals.lastAt}>{t('arrivalCount', { count: arrivals.count })}</Told>
      <DispositionBadge disposition={arrivals.answer} explain />
      <span>
        {t('sentBy')} <VisibleText text={arrivals.senders.join(', ')} />
      </span>
    </span>
  );
}

function Outside({ of, all }: { of: Aftermath; all: boolean }) {
  const t = useTranslations('audit.since');
  const known = knownOutside(of);
  if (known === 'NOT_ASKED') return t(all ? 'notAsked' : 'noLook');
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {t(`known.${known}`, { count: of.looks?.count ?? 0 })}
      {of.looks?.event && <LookLink look={of.looks.event} />}
    </span>
  );
}
