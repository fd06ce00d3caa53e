import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { knownOutside, type Aftermath, type LedgerSince } from '@/lib/domain/ledger-since';
import { OutsideLink } from '../evidence/outside-link';
import { DispositionBadge } from '../execution/disposition-badge';
import { StateBadge } from '../execution/state-badge';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { FactList, type Fact } from '../ui/fact-list';
import { Panel } from '../ui/panel';
import { LookLink } from './look-link';

/** What became of the work since the event: read from the ledger now, and said to be no part of the chain. */
export function LedgerSincePanel({ since }: { since: LedgerSince }) {
  const t = useTranslations('audit.since');
  const relations = useTranslations('glossary.relation');
  const { made } = since;
  return (
    <Panel title={t('title')}>
      <p className="mb-3 text-xs text-ink-muted">{t('lead')}</p>
      <div className="flex flex-col gap-4">
        {made.map((each) => (
          <One
            key={each.executionId}
            title={t('new', { relation: each.relation === null ? t('none') : relations(each.relation) })}
            of={each}
            first={{ term: t('madeAt'), value: <Instant at={each.madeAt} look="full" className="tabular" /> }}
            all
          />
        ))}
        <One title={t(made.length === 0 ? 'only' : 'original')} of={since} />
      </div>
    </Panel>
  );
}

interface OneProps {
  title: string;
  of: Aftermath;
  first?: Fact;
  /** Its whole life is told, not only what came after the event. */
  all?: boolean;
}

function One({ title, of, first, all = false }: OneProps) {
  const t = useTranslations('audit.since');
  const { resultId, resultUrl } = of;
  const result = resultId === null ? null : <KeyText value={resultId} />;
  return (
    <section aria-label={title} className="border-t border-line pt-3 first:border-t-0 first:pt-0">
      <h3 className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 text-sm font-semibold">
        {title}
        <Link
          href={`/executions/${of.executionId}`}
          className="text-sm font-normal text-accent underline-offset-2 hover:underline"
        >
          {t('open')}
        </Link>
      </h3>
      <FactList
        absent={t('none')}
        facts={[
          { term: t('key'), value: <KeyText value={of.key} />, wide: true },
          ...(first === undefined ? [] : [first]),
          {
            term: t('state'),
            value: (
              <Told at={of.stateSince}>
                <StateBadge state={of.state} look="plain" />
              </Told>
            ),
          },
          {
            term: t('result'),
            value:
              resultUrl === null ? result : <OutsideLink href={resultUrl}>{result ?? resultUrl}</OutsideLink>,
          },
          { term: t(all ? 'attemptsAll' : 'attempts'), value: <Attempts of={of} />, wide: true },
          { term: t(all ? 'arrivalsAll' : 'arrivals'), value: <Arrivals of={of} />, wide: true },
          { term: t('outside'), value: <Outside of={of} all={all} />, wide: true },
        ]}
      />
    </section>
  );
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
      <DispositionBadge disposition={arrivals.answer} />
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
