'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { visibleText } from '@/lib/domain/visible-text';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Select } from '../ui/select';
import { Textarea } from '../ui/textarea';

interface HandOverFormProps {
  view: ExceptionView;
  note: string;
  onNote: (note: string) => void;
  pending: boolean;
  disabledReason: string | undefined;
  /** The chosen person's id. */
  onHandOver: (assigneeId: string) => void;
}

/** To whom, and what to tell them. Choosing gives nothing yet: arrow keys pass over people in a closed list. */
export function HandOverForm({ view, note, onNote, pending, disabledReason, onHandOver }: HandOverFormProps) {
  const t = useTranslations('exception.desk');
  const tTogether = useTranslations('exception.together');
  const tForm = useTranslations('decisions.form');
  const [to, setTo] = useState('');
  const [tried, setTried] = useState(false);
  const people = view.assignable.filter(({ personId }) => personId !== view.exception.assignee?.personId);
  const chosen = people.some(({ personId }) => personId === to) ? to : '';
  return (
    <form
      noValidate
      className="flex flex-col gap-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        // Whoever got it is no choice any more: the emptied field is not at fault then.
        setTried(chosen === '');
        if (chosen !== '') onHandOver(chosen);
      }}
    >
      <Field label={tTogether('note')}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={1_000}
            value={note}
            onChange={(event) => onNote(event.target.value)}
            className="min-h-14"
          />
        )}
      </Field>
      <Field label={t('assignTo')} required error={tried && chosen === '' ? tForm('missing') : undefined}>
        {(control) => (
          <Select
            {...control}
            value={chosen}
            placeholder="—"
            onChange={(event) => setTo(event.target.value)}
            choices={people.map(({ personId, displayName }) => ({
              value: personId,
              label: visibleText(displayName),
            }))}
          />
        )}
      </Field>
      <Button type="submit" size="sm" pending={pending} className="self-end" disabledReason={disabledReason}>
        {t('handOverSend')}
      </Button>
    </form>
  );
}
