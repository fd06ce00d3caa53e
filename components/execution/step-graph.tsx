import { Repeat2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { type RelatedExecution } from '@/lib/domain/exception-view';
import { stepLine, type StepLinePart } from '@/lib/domain/step-line';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Badge } from '../ui/badge';
import { classNames } from '../ui/class-names';
import { TONE_SURFACE } from '../ui/tone';
import { StateBadge } from './state-badge';
import { STATE_LOOK } from './state-look';

interface StepGraphProps {
  label: string;
  steps: readonly RelatedExecution[];
}

/**
 * A workflow, drawn: its steps go down one line in their order, each with its state; what nobody has to take note of is folded.
 * The same list is what a screen reader reads; the strokes are decoration.
 */
export function StepGraph({ label, steps }: StepGraphProps) {
  const parts = stepLine(steps);
  return (
    <ol aria-label={label} className="flex min-w-0 flex-col">
      {parts.map((part, at) => (
        <li
          key={part.kind === 'step' ? part.step.executionId : `folded-${part.place}`}
          aria-current={part.kind === 'step' && part.step.isThis ? 'step' : undefined}
          className={classNames(
            'relative min-w-0 pb-3 pl-8 last:pb-0',
            at < parts.length - 1 &&
              "before:absolute before:top-6 before:-bottom-0.5 before:left-[0.6875rem] before:border-l before:border-line-strong before:content-['']",
            part.kind === 'folded' && 'before:border-dashed',
          )}
        >
          {part.kind === 'step' ? <Step step={part.step} /> : <Folded part={part} />}
        </li>
      ))}
    </ol>
  );
}

function Step({ step }: { step: RelatedExecution }) {
  const t = useTranslations('exception.workflow');
  const relations = useTranslations('glossary.relation');
  const { icon: Icon, tone } = STATE_LOOK[step.state];
  return (
    <>
      <Dot
        className={classNames(TONE_SURFACE[tone], step.isThis && 'outline-2 outline-offset-2 outline-accent')}
      >
        <Icon aria-hidden className="size-3.5" />
      </Dot>
      <div className={classNames('min-w-0', step.isThis && '-mx-2 rounded-sm bg-selected px-2')}>
        <p className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
          <Name step={step} />
          <span className="ml-auto text-xs text-ink-muted">
            <StateBadge state={step.state} look="plain" />
          </span>
        </p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-ink-muted">
          <span className="tabular">{t('place', { place: step.place, of: step.of })}</span>
          <span className="flex max-w-full min-w-0">
            <KeyText value={step.key} cut />
          </span>
          {step.relation !== null && (
            <Badge icon={Repeat2} tone="novel" look="plain" className="text-xs">
              {relations(step.relation)}
            </Badge>
          )}
          {!step.isThis && step.openExceptionId !== null && (
            <Link
              href={`/exceptions/${step.openExceptionId}`}
              prefetch={false}
              className="text-caution underline underline-offset-3"
            >
              {t('open')}
            </Link>
          )}
        </p>
      </div>
    </>
  );
}

function Name({ step }: { step: RelatedExecution }) {
  const t = useTranslations('exception.workflow');
  const name = (
    <VisibleText text={step.step ?? step.operation} className="font-medium [overflow-wrap:anywhere]" />
  );
  if (step.isThis)
    return (
      <>
        {name} <span className="text-xs text-ink-muted">{t('this')}</span>
      </>
    );
  return (
    <Link
      href={`/executions/${step.executionId}`}
      prefetch={false}
      className="min-w-0 text-accent underline underline-offset-3"
    >
      {name}
    </Link>
  );
}

function Folded({ part }: { part: Extract<StepLinePart, { kind: 'folded' }> }) {
  const t = useTranslations('exception.workflow');
  const tState = useTranslations('glossary.state');
  const { place, count, states } = part;
  return (
    <>
      <Dot className="border border-dashed border-line-control bg-surface text-2xs text-ink-muted">
        <span aria-hidden>⋮</span>
      </Dot>
      <p className="min-h-6 pt-0.5 text-xs text-ink-muted">
        {t('folded', { count, from: place, to: place + count - 1 })}
        {states.map(({ state, count: many }) => (
          <span key={state} className="tabular">
            {' · '}
            {tState(`${state}.label`)} {many}
          </span>
        ))}
      </p>
    </>
  );
}

function Dot({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'absolute top-0 left-0 flex size-6 items-center justify-center rounded-full ring-1 ring-inset',
        className,
      )}
    >
      {children}
    </span>
  );
}
