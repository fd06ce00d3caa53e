import { Check, CircleDashed, LoaderCircle, X, type LucideIcon } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { type RequestView } from '@/lib/domain/request-view';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Countdown } from '../time/countdown';
import { Instant } from '../time/instant';
import { classNames } from '../ui/class-names';
import { TONE_SURFACE, type Tone } from '../ui/tone';

type StageState = 'done' | 'waits' | 'runs' | 'never';

const LOOK: Readonly<Record<StageState, { icon: LucideIcon; tone: Tone }>> = {
  done: { icon: Check, tone: 'confirmed' },
  waits: { icon: CircleDashed, tone: 'accent' },
  runs: { icon: LoaderCircle, tone: 'progress' },
  never: { icon: X, tone: 'quiet' },
};

/** Asked, decided and recorded here are three things, each with its own time; done outside is none of them. */
export function Stages({ request }: { request: RequestView }) {
  const t = useTranslations('approvals.detail');
  const { state, verdicts } = request;
  // One approval can count for several steps: the step that lacks most says how many are still needed at least.
  const missing = Math.max(1, ...request.steps.map((each) => each.missing));
  const decided: StageState =
    state === 'PENDING' ? 'waits' : ['APPROVED', 'EXECUTED', 'REJECTED'].includes(state) ? 'done' : 'never';
  const executed: StageState =
    state === 'EXECUTED' ? 'done' : state === 'APPROVED' ? 'runs' : state === 'PENDING' ? 'waits' : 'never';
  return (
    <ol aria-label={t('stages')} className="grid gap-3 sm:grid-cols-3">
      <Stage state="done" title={t('stage.requested')}>
        <VisibleText text={request.requestedBy.name ?? request.requestedBy.id} />{' '}
        <Instant at={request.requestedAt} look="full" className="block text-xs text-ink-muted" />
      </Stage>
      <Stage state={decided} title={t('stage.decided')}>
        {verdicts.map((each) => (
          <span key={each.approver.id} className="block">
            {t.rich(each.verdict === 'APPROVE' ? 'approved' : 'rejected', {
              who: () => <VisibleText text={each.approver.name ?? each.approver.id} />,
            })}
            <Instant at={each.decidedAt} look="full" className="block text-xs text-ink-muted" />
          </span>
        ))}
        {decided === 'waits' && (
          <span className="block text-ink-muted">
            {t('stageWait.decided', { missing })} ·{' '}
            <Countdown named until={request.decideBy} refreshWhenOver over={t('limitOver')} />
          </span>
        )}
        {decided === 'never' && <span className="text-ink-muted">{t('stageWait.never')}</span>}
      </Stage>
      <Stage state={executed} title={t('stage.executed')}>
        {executed === 'done' && (
          <>
            {request.newExecution !== null && (
              <Link
                href={`/executions/${request.newExecution.executionId}`}
                className="block text-accent underline underline-offset-3"
              >
                <KeyText value={request.newExecution.key} />
              </Link>
            )}
            <Instant at={request.stateSince} look="full" className="text-xs text-ink-muted" />
            <p className="mt-1 text-xs text-pretty text-ink-muted">{t(`stageDone.${request.kind}`)}</p>
          </>
        )}
        {executed === 'runs' && (
          <span className="text-ink-muted">
            {t('stageWait.executing')}
            {request.executeBy !== null && (
              <>
                {' · '}
                <Countdown named until={request.executeBy} refreshWhenOver over={t('limitOver')} />
              </>
            )}
          </span>
        )}
        {executed === 'waits' && <span className="text-ink-muted">{t('stageWait.executed')}</span>}
        {executed === 'never' && <span className="text-ink-muted">{t('stageWait.never')}</span>}
      </Stage>
    </ol>
  );
}

function Stage({ state, title, children }: { state: StageState; title: string; children: ReactNode }) {
  const { icon: Icon, tone } = LOOK[state];
  return (
    <li className="flex min-w-0 items-start gap-2.5 rounded-lg border border-line bg-surface px-3 py-2.5 text-sm">
      <span
        className={classNames(
          'mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full ring-1 ring-inset',
          TONE_SURFACE[tone],
        )}
      >
        <Icon aria-hidden className={classNames('size-3', state === 'runs' && 'animate-turn')} />
      </span>
      <div className="min-w-0">
        <p className="text-xs font-semibold text-ink-muted">{title}</p>
        {children}
      </div>
    </li>
  );
}
