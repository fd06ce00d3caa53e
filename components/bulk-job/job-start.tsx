'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { CANARIES, DEFAULT_CANARY, DEFAULT_RATE, type JobView } from '@/lib/domain/bulk-job';
import { CommandNotice } from '../decision/command-notice';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Select } from '../ui/select';
import { type JobActions } from './job-actions';
import { RateField } from './rate-field';

/** What would happen, how fast, after how many rows it asks; and the button that starts it. */
export function JobStart({ job, actions }: { job: JobView; actions: JobActions }) {
  const t = useTranslations('bulk');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  const { state, send, pending } = useCommand(actions.steer, actions.settle);
  const [rate, setRate] = useState(DEFAULT_RATE);
  const [canary, setCanary] = useState<number | null>(DEFAULT_CANARY);
  const refusal = job.refusals.start;
  const would = job.foreseen.reduce((sum, { rows }) => sum + rows, 0);
  const run = () => void send({ jobId: job.jobId, step: 'start', rate, canary });
  return (
    <>
      <div className="flex flex-col gap-1 text-sm">
        <p className="font-medium">{t('preview.fine', { count: job.rowCount - would })}</p>
        {job.foreseen.map(({ code, rows }) => (
          <p key={code} className="text-caution">
            {t('preview.foreseen', { count: rows })} {refusalText(code)}
          </p>
        ))}
        <p className="text-xs text-ink-muted">{t('preview.hint')}</p>
      </div>
      <RateField value={rate} onChange={setRate} />
      <Field label={t('steps.canary')} required>
        {(control) => (
          <Select
            {...control}
            value={String(canary)}
            onChange={(event) =>
              setCanary(CANARIES.find((each) => String(each) === event.target.value) ?? null)
            }
            choices={CANARIES.map((each) => ({
              value: String(each),
              label: each === null ? t('steps.noCanary') : t('steps.canaryChoice', { count: each }),
            }))}
          />
        )}
      </Field>
      <Button
        look="primary"
        pending={pending}
        disabledReason={refusal === null ? undefined : refusalText(refusal)}
        onClick={run}
      >
        {t('steps.start')}
      </Button>
      <CommandNotice state={state} done={t('steps.started')} onSendAgain={run} />
    </>
  );
}
