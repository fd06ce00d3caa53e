'use client';

import { useTranslations } from 'next-intl';
import { useId, useState, type ReactNode } from 'react';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { CommandNotice } from '../decision/command-notice';
import { isLongEnough, RationaleField } from '../decision/rationale-field';
import { type RefusalAbout } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { Button } from '../ui/button';
import { DialogForm } from '../ui/dialog-form';
import { GuardedDialog } from '../shell/guarded-dialog';
import { ShownOnce } from './shown-once';

interface ActDialogProps {
  label: ReactNode;
  title: string;
  lead: string;
  /** On the button that does it. */
  submit: string;
  look?: 'primary' | 'secondary' | 'danger';
  disabledReason?: string | undefined;
  asksReason?: boolean;
  act: CommandAction;
  settle: SettleAction;
  /** What is sent besides the reason; null while something is missing, which the fields say once `tried`. */
  input: () => Readonly<Record<string, unknown>> | null;
  /** The secret that the answer carries, as it is to be shown, and what it is called. */
  once?: { what: string; text: (secret: string) => string };
  /** What a refusal says besides its words, such as what has changed. */
  told?: (answer: CommandAnswer) => ReactNode;
  /** What a refusal's words name; administrators unless said otherwise. */
  about?: RefusalAbout;
  onOpen?: () => void;
  children?: (tried: boolean) => ReactNode;
}

/** An act in a dialog: a button, a dialog with its fields and a reason, and what became of it. */
export function ActDialog({ label, title, lead, submit, look = 'secondary', ...props }: ActDialogProps) {
  const { disabledReason, asksReason = true, act, settle, input, once, told, onOpen, children } = props;
  const { about = { roles: ['ADMIN'] } } = props;
  const t = useTranslations('admin');
  const { state, send, clear, pending } = useCommand(act, settle);
  const form = useId();
  const [open, setOpen] = useState(false);
  const [tried, setTried] = useState(false);
  const [reason, setReason] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const [typed, setTyped] = useState(false);
  const close = () => {
    setOpen(false);
    setTyped(false);
    setTried(false);
    setReason('');
    setSecret(null);
  };
  const run = async () => {
    setTried(true);
    const given = input();
    if (given === null || (asksReason && !isLongEnough(reason))) return;
    const answer = await send(asksReason ? { ...given, reason } : given);
    if (answer?.outcome !== 'done') return;
    setTyped(false);
    if (answer.shownOnce !== undefined) return setSecret(answer.shownOnce);
    if (!answer.repeated) close();
  };
  return (
    <>
      <Button
        size="sm"
        // Opening it does nothing yet: the one loud button is the one that does it.
        look={look === 'danger' ? 'warn' : look}
        disabledReason={disabledReason}
        onClick={() => {
          clear();
          onOpen?.();
          setOpen(true);
        }}
      >
        {label}
      </Button>
      <GuardedDialog
        open={open}
        dirty={typed}
        onClose={close}
        title={title}
        description={lead}
        dismissible={secret === null}
        footer={
          secret === null ? (
            <Button
              type="submit"
              form={form}
              look={look === 'danger' ? 'danger' : 'primary'}
              pending={pending}
            >
              {submit}
            </Button>
          ) : (
            <Button look="primary" onClick={close}>
              {t('once.close')}
            </Button>
          )
        }
      >
        {secret !== null && once !== undefined ? (
          <ShownOnce text={once.text(secret)} what={once.what} />
        ) : (
          <DialogForm
            id={form}
            onSubmit={() => void run()}
            answer={state.phase === 'answered' ? state.answer : null}
            onTyped={() => setTyped(true)}
            notice={
              <>
                <CommandNotice state={state} about={about} onSendAgain={() => void run()} />
                {state.phase === 'answered' && told?.(state.answer)}
              </>
            }
          >
            {children?.(tried)}
            {asksReason && (
              <RationaleField
                name="reason"
                label={t('reason')}
                hint={t('reasonHint')}
                value={reason}
                onChange={setReason}
                tried={tried}
              />
            )}
          </DialogForm>
        )}
      </GuardedDialog>
    </>
  );
}
