'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { visibleLength } from '@/lib/domain/visible-length';
import { visibleText } from '@/lib/domain/visible-text';
import { type Together } from '@/lib/domain/working-together';
import { CommandNotice } from '../decision/command-notice';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { PersonTag } from '../person/person-tag';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Button } from '../ui/button';
import { Panel } from '../ui/panel';
import { CommentForm } from './comment-form';
import { DeferDialog } from './defer-dialog';
import { type DeskActions } from './desk-actions';
import { Folded, FoldButton, useFold } from './fold';
import { HandOverForm } from './hand-over-form';
import { LinkedTicket, TicketActs } from './ticket-link';

interface DeskPanelProps {
  view: ExceptionView;
  me: string;
  together: Together;
  actions: DeskActions;
}

/**
 * Who has it, a note for the next one, and "not now, but then and there". What has to be written waits behind buttons:
 * most of the time one press takes it, and what is known and can be done is to stay in sight.
 */
export function DeskPanel({ view, me, together, actions }: DeskPanelProps) {
  const t = useTranslations('exception.desk');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  const assigning = useCommand(actions.assign, actions.settle);
  const [note, setNote] = useState('');
  const [comment, setComment] = useState('');
  const noteFold = useFold();
  const commentFold = useFold();
  const { exception, deskRefusal } = view;
  const open = exception.state === 'OPEN';
  const disabledReason = deskRefusal === null ? undefined : refusalText(deskRefusal);
  const assign = async (assigneeId: string | null, withNote = false) => {
    const { exceptionId, version: exceptionVersion } = exception;
    const said = withNote && visibleLength(note) > 0 ? { note } : {};
    const answer = await assigning.send({ exceptionId, exceptionVersion, assigneeId, ...said });
    if (answer?.outcome === 'done') setNote('');
  };
  return (
    <Panel title={t('title')}>
      <div className="flex flex-col gap-3">
        {open && <Owner view={view} me={me} pending={assigning.pending} assign={(to) => void assign(to)} />}
        {open && <Deferred view={view} />}
        {together.ticket !== null && <LinkedTicket ticket={together.ticket} />}
        <div className="flex flex-wrap gap-2">
          {open && (
            <FoldButton fold={noteFold} unsent={visibleLength(note) > 0} disabledReason={disabledReason}>
              {t('handOver')}
            </FoldButton>
          )}
          <FoldButton fold={commentFold} unsent={visibleLength(comment) > 0} disabledReason={disabledReason}>
            {t('comment')}
          </FoldButton>
          {open && <DeferDialog view={view} actions={actions} />}
          <TicketActs
            view={view}
            ticket={together.ticket}
            link={actions.linkTicket}
            settle={actions.settle}
          />
        </div>
        {open && (
          <Folded fold={noteFold}>
            <HandOverForm
              view={view}
              note={note}
              onNote={setNote}
              pending={assigning.pending}
              disabledReason={disabledReason}
              onHandOver={(to) => void assign(to, true)}
            />
          </Folded>
        )}
        <CommandNotice
          state={assigning.state}
          done={t('assigned')}
          about={{ roles: ['OPERATOR', 'APPROVER'] }}
        />
        <Folded fold={commentFold}>
          <CommentForm
            view={view}
            people={together.mentionable}
            actions={actions}
            text={comment}
            onText={setComment}
          />
        </Folded>
      </div>
    </Panel>
  );
}

interface OwnerProps {
  view: ExceptionView;
  me: string;
  pending: boolean;
  assign: (assigneeId: string | null) => void;
}

/** Whose it is, and the one press that changes it. */
function Owner({ view, me, pending, assign }: OwnerProps) {
  const t = useTranslations('exception.desk');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  const { deskRefusal } = view;
  const { assignee } = view.exception;
  const mine = assignee?.personId === me;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
      <PersonTag person={assignee} me={me} />
      <Button
        size="sm"
        data-act="a"
        look={assignee === null ? 'primary' : 'secondary'}
        pending={pending}
        disabledReason={deskRefusal === null ? undefined : refusalText(deskRefusal)}
        onClick={() => assign(mine ? null : me)}
      >
        {mine
          ? t('giveBack')
          : assignee === null
            ? t('takeIt')
            : t('takeOver', { who: visibleText(assignee.displayName) })}
      </Button>
    </div>
  );
}

function Deferred({ view }: { view: ExceptionView }) {
  const t = useTranslations('exception.head');
  const { deferredUntil, nextPlace } = view.exception;
  if (deferredUntil === null) return null;
  return (
    <p className="text-sm text-ink-muted">
      {t.rich('deferred', {
        time: () => <Instant at={deferredUntil} look="full" />,
        place: () => <VisibleText text={nextPlace ?? ''} />,
      })}
    </p>
  );
}
