import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type OtherException, type RelatedExecution } from '@/lib/domain/exception-view';
import { type Lineage } from '@/lib/domain/lineage';
import { KindBadge } from '../exception/kind-badge';
import { LineageGraph } from '../execution/lineage-graph';
import { StateBadge } from '../execution/state-badge';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { classNames } from '../ui/class-names';
import { Panel } from '../ui/panel';

/** The steps of the workflow, in order, this one marked. */
export function WorkflowPanel({
  workflowId,
  steps,
}: {
  workflowId: string;
  steps: readonly RelatedExecution[];
}) {
  const t = useTranslations('exception.workflow');
  return (
    <Panel title={t('title')}>
      <p className="mb-2 text-xs text-ink-muted">
        {t('id')}: <KeyText value={workflowId} />
      </p>
      <ol className="flex flex-col">
        {steps.map((step) => (
          <li key={step.executionId} className={classNames(ROW, step.isThis && 'bg-selected')}>
            <span className="min-w-0 flex-1">
              <span className="font-medium">
                {step.step === null ? t('noStep') : <VisibleText text={step.step} />}
              </span>{' '}
              <ExecutionLink related={step}>
                <VisibleText text={step.operation} />
              </ExecutionLink>
              {step.isThis && <span className="text-xs text-ink-muted"> · {t('this')}</span>}
              {!step.isThis && step.openExceptionId !== null && (
                <>
                  {' · '}
                  <Link
                    href={`/exceptions/${step.openExceptionId}`}
                    className="text-xs text-caution underline"
                  >
                    {t('open')}
                  </Link>
                </>
              )}
            </span>
            <StateBadge state={step.state} look="plain" />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const ROW = '-mx-2 flex flex-wrap items-baseline gap-x-2 gap-y-0.5 rounded-sm px-2 py-1.5 text-sm';

/** The key's lineage: the original, and every key that was made for it by approval. */
export function LineagePanel({ lineage }: { lineage: Lineage | null }) {
  const t = useTranslations('executions.lineage');
  if (lineage === null || (lineage.size < 2 && !lineage.more)) return null;
  return (
    <Panel title={t('title')} aside={t('count', { count: lineage.size })}>
      <LineageGraph lineage={lineage} />
    </Panel>
  );
}

function ExecutionLink({ related, children }: { related: RelatedExecution; children: React.ReactNode }) {
  return (
    <Link
      href={`/executions/${related.executionId}`}
      prefetch={false}
      className="text-ink-muted underline decoration-line-strong underline-offset-3 hover:text-ink"
    >
      {children}
    </Link>
  );
}

/** Other open exceptions of the lineage: one decision may settle several. */
export function OtherExceptions({ others }: { others: readonly OtherException[] }) {
  const t = useTranslations('exception.head');
  if (others.length === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="text-xs text-ink-muted">{t('others')}:</span>
      {others.map((other) => (
        <Link
          key={other.exceptionId}
          href={`/exceptions/${other.exceptionId}`}
          prefetch={false}
          className="underline-offset-3 hover:underline"
        >
          <KindBadge kind={other.kind} />
        </Link>
      ))}
    </p>
  );
}
