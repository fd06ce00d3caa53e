import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type LedgerSince, type MadeFor } from '@/lib/domain/ledger-since';
import { DispositionBadge } from '../execution/disposition-badge';
import { StateBadge } from '../execution/state-badge';
import { KeyText } from '../text/key-text';
import { Instant } from '../time/instant';
import { FactList } from '../ui/fact-list';
import { Panel } from '../ui/panel';

/** What became of the work since the event: read from the ledger now, and said to be no part of the chain. */
export function LedgerSincePanel({ since }: { since: LedgerSince }) {
  const t = useTranslations('audit.since');
  const { arrivals, made } = since;
  return (
    <Panel
      title={t('title')}
      aside={
        <Link
          href={`/executions/${since.executionId}`}
          className="text-sm text-accent underline-offset-2 hover:underline"
        >
          {t('open')}
        </Link>
      }
    >
      <p className="mb-3 text-xs text-ink-muted">{t('lead')}</p>
      <FactList
        absent={t('none')}
        facts={[
          {
            term: t('state'),
            value: (
              <span className="inline-flex flex-wrap items-center gap-x-2">
                <StateBadge state={since.state} look="plain" />
                <Instant at={since.stateSince} look="full" className="tabular text-ink-muted" />
              </span>
            ),
          },
          { term: t('result'), value: since.resultId === null ? null : <KeyText value={since.resultId} /> },
          { term: t('attempts'), value: t('attemptCount', { count: since.attempts }) },
          {
            term: t('arrivals'),
            wide: true,
            value:
              arrivals === null ? (
                t('noArrival')
              ) : (
                <span className="inline-flex flex-wrap items-center gap-x-2">
                  {t('arrivalCount', { count: arrivals.count })}
                  <Instant at={arrivals.lastAt} look="full" className="tabular text-ink-muted" />
                  <DispositionBadge disposition={arrivals.answer} />
                </span>
              ),
          },
          ...(made.length === 0
            ? []
            : [
                {
                  term: t('made'),
                  wide: true,
                  value: (
                    <ul className="flex flex-col gap-1">
                      {made.map((each) => (
                        <li key={each.executionId}>
                          <Made made={each} />
                        </li>
                      ))}
                    </ul>
                  ),
                },
              ]),
        ]}
      />
    </Panel>
  );
}

function Made({ made }: { made: MadeFor }) {
  const relations = useTranslations('glossary.relation');
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Link
        href={`/executions/${made.executionId}`}
        className="text-accent underline-offset-2 hover:underline"
      >
        <KeyText value={made.key} />
      </Link>
      {made.relation !== null && <span className="text-ink-muted">{relations(made.relation)}</span>}
      <StateBadge state={made.state} look="plain" />
      {made.resultId !== null && <KeyText value={made.resultId} />}
    </span>
  );
}
