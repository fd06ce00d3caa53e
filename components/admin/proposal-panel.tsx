'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { type PersonRef } from '@/lib/domain/person-ref';
import { type RefusalCode } from '@/lib/domain/refusals';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { useRefusalText } from '../decision/refusal-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Panel } from '../ui/panel';
import { ActDialog } from './act-dialog';

interface ProposalPanelProps {
  /** Where its words are. */
  words: 'admin.grant' | 'admin.policies' | 'policies.page' | 'connectors';
  title: string;
  /** Who asks, and for what. */
  asks: string;
  proposal: {
    requestedBy: PersonRef;
    requestedAt: string;
    expiresAt: string;
    reason: string;
    confirmRefusal: RefusalCode | null;
  };
  me: string;
  /** Why it cannot be ended either. */
  endRefusal: RefusalCode | null;
  act: CommandAction;
  settle: SettleAction;
  input: (verdict: 'CONFIRM' | 'REJECT') => Readonly<Record<string, unknown>>;
  /** Whether it stands within another panel. */
  within?: boolean;
  className?: string;
  /** What would change; shown again to whoever confirms. */
  children?: ReactNode;
}

/** What waits for a second administrator: what it is, by whom and why, and the word on it. */
export function ProposalPanel({
  words,
  title,
  asks,
  proposal,
  me,
  endRefusal,
  ...props
}: ProposalPanelProps) {
  const { act, settle, input, within = false, className, children } = props;
  const t = useTranslations(words);
  const refusalText = useRefusalText({ roles: ['ADMIN'] });
  const { requestedBy, requestedAt, expiresAt, reason, confirmRefusal } = proposal;
  const ending = t(requestedBy.personId === me ? 'withdraw' : 'reject');
  const common = { act, settle };
  const told = (
    <>
      <p>
        {asks} <Instant at={requestedAt} look="full" className="text-xs text-ink-muted" />
      </p>
      {children}
      <blockquote className="border-l-2 border-line-strong pl-3 text-ink-muted">
        <VisibleText text={reason} paragraphs />
      </blockquote>
      <p className="text-xs text-ink-muted">
        {t.rich('until', { time: () => <Instant at={expiresAt} look="full" /> })}
      </p>
      <div className="flex flex-wrap gap-2">
        <ActDialog
          {...common}
          look="primary"
          label={t('confirm')}
          title={t('confirm')}
          lead={t('confirmLead')}
          submit={t('confirm')}
          disabledReason={confirmRefusal === null ? undefined : refusalText(confirmRefusal)}
          input={() => input('CONFIRM')}
        >
          {children === undefined ? undefined : () => <div className="text-sm">{children}</div>}
        </ActDialog>
        <ActDialog
          {...common}
          label={ending}
          title={ending}
          lead={t('rejectLead')}
          submit={ending}
          disabledReason={endRefusal === null ? undefined : refusalText(endRefusal)}
          input={() => input('REJECT')}
        />
      </div>
    </>
  );
  if (!within)
    return (
      <Panel title={title} {...(className !== undefined && { className })}>
        <div className="flex flex-col gap-3 text-sm">{told}</div>
      </Panel>
    );
  return (
    <section
      aria-label={title}
      className="flex flex-col gap-2 rounded-md border border-line-strong bg-canvas px-3 py-2.5 text-sm"
    >
      <h3 className="text-xs font-semibold">{title}</h3>
      {told}
    </section>
  );
}
