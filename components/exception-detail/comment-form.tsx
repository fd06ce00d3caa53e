'use client';

import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { type PersonRef } from '@/lib/domain/person-ref';
import { visibleLength } from '@/lib/domain/visible-length';
import { CommandNotice } from '../decision/command-notice';
import { sendOnCtrlEnter } from '../decision/rationale-field';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { Button } from '../ui/button';
import { focusFirstInvalid } from '../ui/focus-first-invalid';
import { Field } from '../ui/field';
import { Textarea } from '../ui/textarea';
import { type DeskActions } from './desk-actions';
import { MentionField } from './mention-field';

interface CommentFormProps {
  view: ExceptionView;
  people: readonly PersonRef[];
  actions: DeskActions;
  text: string;
  onText: (text: string) => void;
}

/** What the next person should know, and who is called to read it. */
export function CommentForm({ view, people, actions, text, onText }: CommentFormProps) {
  const t = useTranslations('exception.desk');
  const tForm = useTranslations('decisions.form');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  const { state, send, pending } = useCommand(actions.comment, actions.settle);
  const [mentions, setMentions] = useState<readonly string[]>([]);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { exception, deskRefusal } = view;
  const empty = visibleLength(text) === 0;
  const submit = async () => {
    setTried(true);
    if (empty) return focusFirstInvalid(form.current);
    const answer = await send({
      exceptionId: exception.exceptionId,
      exceptionVersion: exception.version,
      text,
      ...(mentions.length === 0 ? {} : { mentions }),
    });
    if (answer?.outcome !== 'done') return;
    onText('');
    setMentions([]);
    setTried(false);
  };
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label={t('comment')} required error={tried && empty ? tForm('missing') : undefined}>
        {(control) => (
          <Textarea
            {...control}
            name="comment"
            rows={2}
            maxLength={4_000}
            placeholder={t('commentPlaceholder')}
            value={text}
            onChange={(event) => onText(event.target.value)}
            onKeyDown={sendOnCtrlEnter}
            className="min-h-16"
          />
        )}
      </Field>
      {deskRefusal === null && <MentionField people={people} chosen={mentions} onChange={setMentions} />}
      <Button
        type="submit"
        size="sm"
        pending={pending}
        className="self-end"
        disabledReason={deskRefusal === null ? undefined : refusalText(deskRefusal)}
      >
        {t('send')}
      </Button>
      <CommandNotice state={state} done={t('commented')} about={{ roles: ['OPERATOR', 'APPROVER'] }} />
    </form>
  );
}
