'use client';

import { useTranslations } from 'next-intl';
import { type RequestView } from '@/lib/domain/request-view';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { CommandNotice } from '../decision/command-notice';
import { useCommand } from '../decision/use-command';
import { Button } from '../ui/button';
import { Panel } from '../ui/panel';

interface WithdrawFormProps {
  request: RequestView;
  withdraw: CommandAction;
  settle: SettleAction;
}

/** The requester takes it back. */
export function WithdrawForm({ request, withdraw, settle }: WithdrawFormProps) {
  const t = useTranslations('approvals.withdraw');
  const { state, send, pending } = useCommand(withdraw, settle);
  if (request.withdrawRefusal !== null && state.phase === 'idle') return null;
  return (
    <Panel title={t('title')}>
      <div className="flex flex-col items-start gap-3 text-sm">
        <p className="text-ink-muted">{t('lead')}</p>
        {request.withdrawRefusal === null && (
          <Button pending={pending} onClick={() => void send({ requestId: request.requestId })}>
            {t('button')}
          </Button>
        )}
        <CommandNotice state={state} done={t('done')} />
      </div>
    </Panel>
  );
}
