'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { StepUp } from '../access/step-up';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { Spinner } from '../ui/spinner';
import { useRefusalText, type RefusalAbout } from './refusal-text';
import { type CommandPhase } from './use-command';

interface CommandNoticeProps {
  state: CommandPhase;
  about?: RefusalAbout;
  /** Words while it is on its way. */
  sending?: string;
  /** Words once it is done. */
  done?: string;
  onSendAgain?: () => void;
}

/** What became of the act just sent, beside its button, read out when it appears. Only the ledger's answer says "done". */
export function CommandNotice({ state, about, sending, done, onSendAgain }: CommandNoticeProps) {
  const t = useTranslations('decisions.notice');
  return (
    <div role="status" aria-live="polite" className="empty:hidden">
      {state.phase === 'sending' && <Spinner label={sending ?? t('sending')} />}
      {state.phase === 'settling' && (
        <Notice tone="caution" title={t('unknownTitle')}>
          {t('unknownBody')}
        </Notice>
      )}
      {state.phase === 'answered' && (
        <Answered
          answer={state.answer}
          done={done}
          {...(about === undefined ? {} : { about })}
          {...(onSendAgain === undefined ? {} : { onSendAgain })}
        />
      )}
    </div>
  );
}

interface AnsweredProps {
  answer: Extract<CommandPhase, { phase: 'answered' }>['answer'];
  about?: RefusalAbout;
  done: string | undefined;
  onSendAgain?: () => void;
}

function Answered({ answer, about, done, onSendAgain }: AnsweredProps): ReactNode {
  const t = useTranslations('decisions.notice');
  const refusalText = useRefusalText(about);
  switch (answer.outcome) {
    case 'done':
      return <Notice tone="confirmed">{answer.repeated ? t('repeated') : (done ?? t('done'))}</Notice>;
    case 'requested':
      return (
        <Notice
          tone="progress"
          action={
            <Link href={`/approvals/${answer.requestId}`} className="shrink-0 underline underline-offset-3">
              {t('requestedLink')}
            </Link>
          }
        >
          {t('requested')}
        </Notice>
      );
    case 'refused':
      if (answer.code === 'STEP_UP_NEEDED' && onSendAgain !== undefined)
        return <StepUp onShown={onSendAgain} />;
      return (
        <Notice tone="danger" title={t('refused')}>
          {refusalText(answer.code, answer)}
        </Notice>
      );
    case 'unknown':
      return (
        <Notice
          tone="caution"
          title={t('unknownTitle')}
          action={
            onSendAgain === undefined ? undefined : (
              <Button size="sm" onClick={onSendAgain}>
                {t('sendAgain')}
              </Button>
            )
          }
        >
          {t('unknownStill')}
        </Notice>
      );
    default: {
      const impossible: never = answer;
      throw new Error(`bug: unknown answer ${JSON.stringify(impossible)}`);
    }
  }
}
