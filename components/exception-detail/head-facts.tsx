import { useTranslations } from 'next-intl';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { AmountText } from '../execution/amount-text';
import { StateBadge } from '../execution/state-badge';
import { TargetText } from '../execution/target-text';
import { PersonTag } from '../person/person-tag';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Age } from '../time/age';
import { Instant } from '../time/instant';
import { DueMark } from '../exception/due-mark';
import { CopyButton } from '../ui/copy-button';

/** Under the title: which work under which key, and the handful of facts that everybody asks for first. */
export function HeadFacts({ view, me }: { view: ExceptionView; me: string }) {
  const t = useTranslations('exception.head');
  const { exception, execution } = view;
  return (
    <div className="flex flex-col gap-2 px-4 pb-4 md:px-6">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-base">
        <VisibleText text={exception.operation} className="font-medium" />
        {execution === null ? (
          <span className="text-ink-muted">
            {t(exception.kind === 'OPERATION_PAUSED' ? 'wholeOperation' : 'noKey')}
          </span>
        ) : (
          <span className="inline-flex max-w-full min-w-0 items-center gap-0.5">
            <KeyText value={execution.key} className="text-ink-muted" />
            <CopyButton text={execution.key} what={t('key')} />
          </span>
        )}
      </p>
      <dl className="flex flex-wrap items-center gap-x-5 gap-y-1.5 text-sm">
        {execution !== null && (
          <Item term={t('state')} hidden>
            <StateBadge state={execution.state} explain />{' '}
            <Age since={execution.stateSince} className="text-ink-muted" />
          </Item>
        )}
        {exception.state === 'OPEN' && (
          <Item term={t('due')}>
            <DueMark at={exception.dueAt} />
          </Item>
        )}
        {execution?.amount != null && (
          <Item term={t('amount')}>
            <span className="font-semibold">
              <AmountText amount={execution.amount} />
            </span>
          </Item>
        )}
        {execution !== null && (execution.targetSystem ?? execution.targetAccount) !== null && (
          <Item term={t('target')}>
            <TargetText system={execution.targetSystem} account={execution.targetAccount} />
          </Item>
        )}
        <Item term={t('principal')}>
          <VisibleText text={exception.principalName ?? exception.principalId ?? ''} />
        </Item>
        <Item term={t('assignee')}>
          <PersonTag person={exception.assignee} me={me} />
        </Item>
        <Item term={t('opened')}>
          <Instant at={exception.openedAt} look="ago" />
        </Item>
      </dl>
    </div>
  );
}

function Item({
  term,
  hidden = false,
  children,
}: {
  term: string;
  hidden?: boolean;
  children: React.ReactNode;
}) {
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <dt className={hidden ? 'sr-only' : 'text-xs text-ink-muted'}>{term}</dt>
      <dd className="flex min-w-0 items-center gap-1.5">{children}</dd>
    </div>
  );
}
