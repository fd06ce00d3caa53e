'use client';

import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { type InputRefusal } from '@/lib/domain/permissions';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { CommandNotice } from '../decision/command-notice';
import { isLongEnough, RationaleField } from '../decision/rationale-field';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { VisibleText } from '../text/visible-text';
import { Button } from '../ui/button';
import { focusFirstInvalid } from '../ui/focus-first-invalid';
import { CopyButton } from '../ui/copy-button';
import { Panel } from '../ui/panel';

interface InputReferenceProps {
  executionId: string;
  refusal: InputRefusal;
  /** The operation's, named where it is missing. */
  authority: string;
  open: CommandAction;
  settle: SettleAction;
}

/** Where the original input lies: shown only after somebody has said why, which is kept. */
export function InputReference({ executionId, refusal, authority, open, settle }: InputReferenceProps) {
  const t = useTranslations('executions.input');
  const about = { roles: ['OPERATOR', 'APPROVER'], authority };
  const refusalText = useRefusalText(about);
  const { state, send, pending } = useCommand(open, settle);
  const [rationale, setRationale] = useState('');
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const [told, setTold] = useState<string | null>(null);
  const submit = async () => {
    setTried(true);
    if (!isLongEnough(rationale)) return focusFirstInvalid(form.current);
    const answer = await send({ executionId, rationale });
    if (answer?.outcome === 'done' && answer.inputRef !== undefined) setTold(answer.inputRef);
  };
  if (told !== null) {
    return (
      <Panel title={t('title')}>
        <p role="status" className="flex items-center gap-1 text-sm [overflow-wrap:anywhere]">
          <VisibleText text={told} />
          <CopyButton text={told} what={t('title')} />
        </p>
      </Panel>
    );
  }
  return (
    <Panel title={t('title')}>
      <form
        ref={form}
        noValidate
        className="flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-sm text-ink-muted">{t('explained')}</p>
        <RationaleField
          name="inputRationale"
          label={t('why')}
          value={rationale}
          onChange={setRationale}
          tried={tried}
        />
        <Button
          type="submit"
          size="sm"
          pending={pending}
          className="self-end"
          disabledReason={refusal === null ? undefined : refusalText(refusal)}
        >
          {t('open')}
        </Button>
        <CommandNotice state={state} done={t('askAgain')} about={about} />
      </form>
    </Panel>
  );
}
