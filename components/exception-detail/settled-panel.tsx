import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { isCarriedOutLater } from '@/lib/domain/decisions';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { nodesOf } from '@/lib/domain/lineage';
import { StateBadge } from '../execution/state-badge';
import { OutsideLink } from '../evidence/outside-link';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Panel } from '../ui/panel';

const EXECUTOR_CODES = [
  'CONFIRMED_LATE',
  'CLAIMED_AGAIN',
  'EXECUTOR_REPORTED',
  'OWNER_CAME_BACK',
  'BECAME_UNKNOWN',
] as const;

/** How it ended: who decided what and why, and what the ledger row is now. Nothing is called done before the row is. */
export function SettledPanel({ view }: { view: ExceptionView }) {
  const t = useTranslations('exception.closed');
  const { exception, execution } = view;
  if (exception.closedAt === null) return null;
  const decision = view.decisions.find(
    (each) => each.decision === exception.closingCode && each.at === exception.closedAt,
  );
  const next = nodesOf(view.lineage?.lines ?? []).find((each) => each.reissueOf === execution?.executionId);
  return (
    <Panel title={t('title')} aside={<Instant at={exception.closedAt} look="full" />}>
      <div className="flex flex-col gap-2.5 text-sm">
        <Closing view={view} />
        {decision?.rationale != null && decision.rationale !== '' && (
          <blockquote className="border-l-2 border-line-strong pl-3 text-ink-muted">
            <VisibleText text={decision.rationale} paragraphs />
          </blockquote>
        )}
        {execution !== null && (
          <p className="flex flex-wrap items-center gap-x-2">
            {t.rich('state', { state: () => <StateBadge state={execution.state} /> })}
          </p>
        )}
        {execution?.resultId != null && (
          <p>
            <span className="text-ink-muted">{t('result')}: </span>
            {execution.resultUrl === null ? (
              <KeyText value={execution.resultId} />
            ) : (
              <OutsideLink href={execution.resultUrl}>
                <KeyText value={execution.resultId} />
              </OutsideLink>
            )}
          </p>
        )}
        {next !== undefined && (
          <p>
            <span className="text-ink-muted">{t('newKey')}: </span>
            <Link
              href={`/executions/${next.executionId}`}
              className="text-accent underline underline-offset-3"
            >
              <KeyText value={next.key} />
            </Link>{' '}
            <StateBadge state={next.state} />
          </p>
        )}
      </div>
    </Panel>
  );
}

function Closing({ view }: { view: ExceptionView }) {
  const t = useTranslations('exception.closed');
  const tDecision = useTranslations('decisions.decision');
  const { exception } = view;
  const code = exception.closingCode ?? '';
  if (exception.closing === 'EXECUTOR') {
    const known = EXECUTOR_CODES.find((each) => each === code) ?? 'other';
    return (
      <p>
        {t('byExecutor')} {t(`executorCode.${known}`, { code })}
      </p>
    );
  }
  const decided = view.decisions.find((each) => each.decision === code)?.decision;
  const later = decided !== undefined && isCarriedOutLater(decided);
  return (
    <p>
      {t.rich('byDecision', {
        who: () => <VisibleText text={exception.closedBy?.name ?? exception.closedBy?.id ?? ''} />,
        decision: () => <strong>{decided === undefined ? code : tDecision(`${decided}.title`)}</strong>,
      })}
      {later && <span className="block text-ink-muted">{t('carriedOutLater')}</span>}
    </p>
  );
}
