import { CircleDot, CornerDownRight, Repeat2, ScanSearch, ShieldCheck, Split } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type Lineage, type LineageLine, type LineageNode } from '@/lib/domain/lineage';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Badge } from '../ui/badge';
import { classNames } from '../ui/class-names';
import { Notice } from '../ui/notice';
import { StateBadge } from './state-badge';

/** Steps to the right that a phone has room for; deeper branches stay there, their words say whose they are. */
const DEEPEST_STEP = 3;

/**
 * A key's lineage, drawn: lines go down from original to reissue, new work branches off. The same nested lists are
 * what a screen reader reads; the strokes are decoration.
 */
export function LineageGraph({ lineage }: { lineage: Lineage }) {
  const t = useTranslations('executions.lineage');
  if (lineage.size < 2 && !lineage.more) return <p className="text-sm text-ink-muted">{t('none')}</p>;
  return (
    <div className="flex flex-col gap-3">
      {lineage.lines.map((line) => (
        <Line key={line[0]?.executionId} line={line} label={t('title')} depth={0} />
      ))}
      {lineage.more && (
        <Notice tone="caution" role="status">
          {t('more', { count: lineage.size })}
        </Notice>
      )}
    </div>
  );
}

function Line({ line, label, depth }: { line: LineageLine; label?: string; depth: number }) {
  return (
    <ol aria-label={label} className="flex min-w-0 flex-col">
      {line.map((node, at) => (
        <li
          key={node.executionId}
          aria-current={node.isPresent || undefined}
          className={classNames(
            'relative min-w-0 pb-4 pl-6 last:pb-0',
            // The stroke to the key that was made for this one.
            at < line.length - 1 &&
              "before:absolute before:top-4 before:-bottom-2 before:left-[0.4375rem] before:w-px before:bg-line-strong before:content-['']",
          )}
        >
          <Dot node={node} />
          <Node node={node} isFirst={at === 0} />
          {node.branches.length > 0 && <Branches node={node} depth={depth + 1} />}
        </li>
      ))}
    </ol>
  );
}

function Branches({ node, depth }: { node: LineageNode; depth: number }) {
  const t = useTranslations('executions.lineage');
  return (
    <ul
      aria-label={t('branches')}
      className={classNames('mt-3 flex min-w-0 flex-col gap-3', depth > DEEPEST_STEP && '-ml-6')}
    >
      {node.branches.map((branch) => (
        <li
          key={branch[0]?.executionId}
          className="relative min-w-0 before:absolute before:top-[0.5625rem] before:-left-[1.0625rem] before:h-px before:w-4 before:border-t before:border-dashed before:border-line-strong before:content-['']"
        >
          <Line line={branch} depth={depth} />
        </li>
      ))}
    </ul>
  );
}

/** Filled: can still be executed. A ring around it: this page's. */
function Dot({ node }: { node: LineageNode }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'absolute top-1 left-0 size-[0.9375rem] rounded-full border-2',
        node.isLive ? 'border-progress bg-progress' : 'border-line-strong bg-surface',
        node.isPresent && 'ring-2 ring-accent ring-offset-2 ring-offset-surface',
      )}
    />
  );
}

function Node({ node, isFirst }: { node: LineageNode; isFirst: boolean }) {
  const t = useTranslations('executions.lineage');
  const tRelation = useTranslations('glossary.relation');
  return (
    <div
      className={classNames('flex min-w-0 flex-col gap-1', node.isPresent && 'rounded-sm bg-selected px-2')}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        {node.isPresent ? (
          <>
            <KeyText value={node.key} className="font-semibold" />
            <span className="text-xs text-ink-muted">{t('present')}</span>
          </>
        ) : (
          <Link
            href={`/executions/${node.executionId}`}
            prefetch={false}
            className="min-w-0 text-accent underline underline-offset-3"
          >
            <KeyText value={node.key} />
          </Link>
        )}
        <StateBadge state={node.state} />
      </p>
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-muted">
        {node.relation === null ? (
          t('original')
        ) : (
          <Badge
            icon={node.relation === 'NEW_WORK' ? Split : Repeat2}
            tone="novel"
            look="plain"
            className="text-xs"
          >
            {tRelation(node.relation)}
            {!isFirst && <span className="sr-only"> {t('forTheOneBefore')}</span>}
          </Badge>
        )}
        <Instant at={node.createdAt} look="short" />
        {node.originalUnseen && <span>{t('originalUnseen')}</span>}
        {node.isNeighbour && <span>{t('neighbour')}</span>}
      </p>
      <Marks node={node} />
      <Facts node={node} />
    </div>
  );
}

/** What a caller of this key would meet. */
function Marks({ node }: { node: LineageNode }) {
  const t = useTranslations('executions.lineage');
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-xs empty:hidden">
      {node.isLive && (
        <Badge icon={CircleDot} tone="progress" look="plain" className="text-xs">
          {t('live')}
        </Badge>
      )}
      {node.superseded && (
        <Badge icon={CornerDownRight} tone="quiet" look="plain" className="text-xs">
          {t('superseded')}
        </Badge>
      )}
      {node.openExceptionId !== null && (
        <Link
          href={`/exceptions/${node.openExceptionId}`}
          prefetch={false}
          className="text-caution underline underline-offset-3"
        >
          <Badge icon={ScanSearch} tone="caution" look="plain" className="text-xs">
            {t('openException')}
          </Badge>
        </Link>
      )}
    </p>
  );
}

function Facts({ node }: { node: LineageNode }) {
  const t = useTranslations('executions.lineage');
  const { request } = node;
  return (
    <>
      {node.resultId !== null && (
        <p className="text-xs text-ink-muted">
          {t('result')}: <KeyText value={node.resultId} className="text-ink" />
        </p>
      )}
      {request !== null && (
        <p className="flex flex-wrap items-baseline gap-x-1.5 text-xs text-ink-muted">
          <ShieldCheck aria-hidden className="size-3.5 shrink-0 self-center" />
          {request.approvals.length === 0 && t('noApproval')}
          {request.approvals.map((approval) => (
            <span key={approval.personId}>
              {t.rich('approvedBy', {
                who: () => (
                  <span className="text-ink">
                    <VisibleText text={approval.displayName} />
                  </span>
                ),
                time: () => <Instant at={approval.at} look="short" />,
              })}
            </span>
          ))}
          <Link
            href={`/approvals/${request.requestId}`}
            prefetch={false}
            className="underline underline-offset-3 hover:text-ink"
          >
            {t.rich('request', { who: () => <VisibleText text={request.requestedBy.displayName} /> })}
          </Link>
        </p>
      )}
      {node.relation !== null && request === null && (
        <p className="text-xs text-ink-muted">{t('noApproval')}</p>
      )}
    </>
  );
}
