'use client';

import { Hourglass } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { useAfterAct } from '../decision/after-act';
import { CommandNotice } from '../decision/command-notice';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { DeferFields, deferralInput, isPlaced, isWorded, NO_DEFERRAL } from '../exception/defer-fields';
import { GuardedDialog } from '../shell/guarded-dialog';
import { Button } from '../ui/button';
import { DialogForm } from '../ui/dialog-form';
import { type DeskActions } from './desk-actions';

/** A deferred exception keeps an owner, a next check time and a place to look; it stays unresolved. */
export function DeferDialog({ view, actions }: { view: ExceptionView; actions: DeskActions }) {
  const t = useTranslations('exception.desk');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  const { state, send, clear, pending } = useCommand(actions.defer, actions.settle);
  const afterAct = useAfterAct();
  const [open, setOpen] = useState(false);
  const [tried, setTried] = useState(false);
  const [deferral, setDeferral] = useState(NO_DEFERRAL);
  const form = useId();
  const { exception, deskRefusal } = view;
  const answered = state.phase === 'answered' ? state.answer : null;
  const close = () => {
    setOpen(false);
    setTried(false);
    setDeferral(NO_DEFERRAL);
  };
  const submit = async () => {
    setTried(true);
    if (!isPlaced(deferral)) return;
    const answer = await send({
      exceptionId: exception.exceptionId,
      exceptionVersion: exception.version,
      ...deferralInput(deferral),
    });
    if (answer?.outcome !== 'done') return;
    close();
    afterAct();
  };
  return (
    <>
      <Button
        size="sm"
        data-act="e"
        data-act-press
        onClick={() => {
          clear();
          setOpen(true);
        }}
        disabledReason={deskRefusal === null ? undefined : refusalText(deskRefusal)}
      >
        <Hourglass aria-hidden />
        {t('defer')}
      </Button>
      <GuardedDialog
        open={open}
        dirty={isWorded(deferral)}
        onClose={close}
        title={t('deferTitle')}
        description={t('deferLead')}
        footer={
          <Button type="submit" form={form} look="primary" pending={pending}>
            {t('defer')}
          </Button>
        }
      >
        <DialogForm
          id={form}
          onSubmit={() => void submit()}
          answer={answered}
          notice={
            <CommandNotice state={state} done={t('deferred')} about={{ roles: ['OPERATOR', 'APPROVER'] }} />
          }
        >
          <DeferFields value={deferral} onChange={setDeferral} tried={tried} />
        </DialogForm>
      </GuardedDialog>
    </>
  );
}
