'use client';

import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { type PersonRef } from '@/lib/domain/person-ref';
import { visibleLength } from '@/lib/domain/visible-length';
import { visibleText } from '@/lib/domain/visible-text';
import { type Together } from '@/lib/domain/working-together';
import { CommandNotice } from '../decision/command-notice';
import { sendOnCtrlEnter } from '../decision/rationale-field';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { PersonTag } from '../person/person-tag';
import { Button } from '../ui/button';
import { focusFirstInvalid } from '../ui/focus-first-invalid';
import { Field } from '../ui/field';
import { Panel } from '../ui/panel';
import { Select } from '../ui/select';
import { Textarea } from '../ui/textarea';
import { DeferDialog } from './defer-dialog';
import { type DeskActions } from './desk-actions';
import { MentionField } from './mention-field';
import { TicketLink } from './ticket-link';

interface DeskPanelProps {
  view: ExceptionView;
  me: string;
  together: Together;
  actions: DeskActions;
}

/** Who has it, a note for the next one, and "not now, but then and there". */
export function DeskPanel({ view, me, together, actions }: DeskPanelProps) {
  const t = useTranslations('exception.desk');
  const open = view.exception.state === 'OPEN';
  return (
    <Panel title={t('title')}>
      <div className="flex flex-col gap-4">
        {open && <Assignment view={view} me={me} actions={actions} />}
        {open && <DeferDialog view={view} actions={actions} />}
        <CommentForm view={view} people={together.mentionable} actions={actions} />
        <TicketLink view={view} ticket={together.ticket} link={actions.linkTicket} settle={actions.settle} />
      </div>
    </Panel>
  );
}

function Assignment({ view, me, actions }: Omit<DeskPanelProps, 'together'>) {
  const t = useTranslations('exception.desk');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  const { state, send, pending } = useCommand(actions.assign, actions.settle);
  const { exception, assignable, deskRefusal } = view;
  const { assignee } = exception;
  const disabledReason = deskRefusal === null ? undefined : refusalText(deskRefusal);
  const tTogether = useTranslations('exception.together');
  const [note, setNote] = useState('');
  const assign = async (assigneeId: string | null, withNote = false) => {
    const { exceptionId, version: exceptionVersion } = exception;
    const said = withNote && visibleLength(note) > 0 ? { note } : {};
    const answer = await send({ exceptionId, exceptionVersion, assigneeId, ...said });
    if (answer?.outcome === 'done') setNote('');
  };
  const mine = assignee?.personId === me;
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <PersonTag person={assignee} me={me} />
        <Button
          size="sm"
          data-act="a"
          look={assignee === null ? 'primary' : 'secondary'}
          pending={pending}
          disabledReason={disabledReason}
          onClick={() => void assign(mine ? null : me)}
        >
          {mine
            ? t('giveBack')
            : assignee === null
              ? t('takeIt')
              : t('takeOver', { who: visibleText(assignee.displayName) })}
        </Button>
      </div>
      {deskRefusal === null && (
        <Field label={tTogether('note')}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              maxLength={1_000}
              value={note}
              onChange={(event) => setNote(event.target.value)}
              className="min-h-14"
            />
          )}
        </Field>
      )}
      {deskRefusal === null && (
        <Field label={t('assignTo')} required>
          {(control) => (
            <Select
              {...control}
              value=""
              placeholder="—"
              onChange={(event) => void assign(event.target.value, true)}
              choices={assignable
                .filter((person) => person.personId !== assignee?.personId)
                .map((person) => ({ value: person.personId, label: visibleText(person.displayName) }))}
            />
          )}
        </Field>
      )}
      <CommandNotice state={state} done={t('assigned')} about={{ roles: ['OPERATOR', 'APPROVER'] }} />
    </div>
  );
}

function CommentForm({
  view,
  people,
  actions,
}: {
  view: ExceptionView;
  people: readonly PersonRef[];
  actions: DeskActions;
}) {
  const t = useTranslations('exception.desk');
  const tForm = useTranslations('decisions.form');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  const { state, send, pending } = useCommand(actions.comment, actions.settle);
  const [text, setText] = useState('');
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
    setText('');
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
            onChange={(event) => setText(event.target.value)}
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
