'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { visibleText } from '@/lib/domain/visible-text';
import { DeferFields, deferralInput, isPlaced, isWorded, NO_DEFERRAL } from '../exception/defer-fields';
import { Button } from '../ui/button';
import { DialogForm } from '../ui/dialog-form';
import { Field } from '../ui/field';
import { Select } from '../ui/select';
import { StepFooter } from './step-footer';
import { type BulkRequest } from './use-batch';

interface StepFormProps {
  count: number;
  onSend: (request: BulkRequest) => void;
}

const FORM = 'bulk-step';

/** To whom all of them go. */
export function AssignForm({
  count,
  onSend,
  assignees,
}: StepFormProps & { assignees: readonly { personId: string; displayName: string }[] }) {
  const t = useTranslations('queue.bulk');
  const tForm = useTranslations('decisions.form');
  const [assigneeId, setAssigneeId] = useState('');
  const [tried, setTried] = useState(false);
  const submit = () => {
    setTried(true);
    if (assigneeId !== '') onSend({ act: 'assign', assigneeId });
  };
  return (
    <DialogForm id={FORM} onSubmit={submit} notice={null} answer={null}>
      <Field label={t('person')} required error={tried && assigneeId === '' ? tForm('missing') : undefined}>
        {(control) => (
          <Select
            {...control}
            value={assigneeId}
            placeholder="—"
            onChange={(event) => setAssigneeId(event.target.value)}
            choices={assignees.map(({ personId, displayName }) => ({
              value: personId,
              label: visibleText(displayName),
            }))}
          />
        )}
      </Field>
      <StepFooter>
        <Button type="submit" form={FORM} look="primary">
          {t('send.assign', { count })}
        </Button>
      </StepFooter>
    </DialogForm>
  );
}

/** When and where to look again, for all of them. */
export function DeferForm({
  count,
  onSend,
  onWorded,
}: StepFormProps & { onWorded: (worded: boolean) => void }) {
  const t = useTranslations('queue.bulk');
  const [deferral, setDeferral] = useState(NO_DEFERRAL);
  const [tried, setTried] = useState(false);
  const submit = () => {
    setTried(true);
    if (isPlaced(deferral)) onSend({ act: 'defer', ...deferralInput(deferral) });
  };
  return (
    <DialogForm id={FORM} onSubmit={submit} notice={null} answer={null}>
      <DeferFields
        value={deferral}
        onChange={(next) => {
          setDeferral(next);
          onWorded(isWorded(next));
        }}
        tried={tried}
      />
      <StepFooter>
        <Button type="submit" form={FORM} look="primary">
          {t('send.defer', { count })}
        </Button>
      </StepFooter>
    </DialogForm>
  );
}
