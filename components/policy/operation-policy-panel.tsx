'use client';

import { useTranslations } from 'next-intl';
import { type OperationPolicyView } from '@/lib/domain/policy-row';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { ProtectionText } from '../execution/protection-text';
import { Instant } from '../time/instant';
import { LinkButton } from '../ui/link-button';
import { Notice } from '../ui/notice';
import { Panel } from '../ui/panel';
import { OperationFacts } from './operation-facts';
import { OperationProposal } from './operation-proposal';
import { policyAddress } from './policy-address';

interface OperationPolicyPanelProps {
  tenantId: string;
  operation: string;
  view: OperationPolicyView;
  me: string;
  mayChange: boolean;
  decide: CommandAction;
  settle: SettleAction;
}

/** What is promised of one operation, what counts of it now, and the change that waits. */
export function OperationPolicyPanel({
  tenantId,
  operation,
  view,
  me,
  mayChange,
  decide,
  settle,
}: OperationPolicyPanelProps) {
  const t = useTranslations('policies.page');
  const { version, since, proposal } = view;
  const unproven = view.declaredProtection !== view.protectionClass;
  return (
    <Panel
      id="operation-policy"
      title={t('operationPolicy')}
      aside={
        <>
          {version === 0 ? t('builtIn') : t('version', { version })}
          {since !== null && <> · {t.rich('since', { time: () => <Instant at={since} look="full" /> })}</>}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {proposal !== null && (
          <OperationProposal
            inForce={view.content}
            proposal={proposal}
            me={me}
            mayChange={mayChange}
            decide={decide}
            settle={settle}
          />
        )}
        {unproven && (
          <Notice tone="caution">
            <ProtectionText of={view} />
          </Notice>
        )}
        <OperationFacts content={view.content} />
        {mayChange && (
          <div>
            <LinkButton look="primary" href={policyAddress('change', tenantId, operation)}>
              {t(version === 0 ? 'first' : 'change')}
            </LinkButton>
          </div>
        )}
      </div>
    </Panel>
  );
}
