import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type OtherException, type RelatedExecution } from '@/lib/domain/exception-view';
import { type Lineage } from '@/lib/domain/lineage';
import { KindBadge } from '../exception/kind-badge';
import { LineageGraph } from '../execution/lineage-graph';
import { StepGraph } from '../execution/step-graph';
import { KeyText } from '../text/key-text';
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
      <StepGraph label={t('title')} steps={steps} />
    </Panel>
  );
}

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
