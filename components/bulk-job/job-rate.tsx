'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type JobView } from '@/lib/domain/bulk-job';
import { CommandNotice } from '../decision/command-notice';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { Button } from '../ui/button';
import { type JobActions } from './job-actions';
import { RateField } from './rate-field';

/** Another rate for a job that is under way. */
export function JobRate({ job, actions }: { job: JobView; actions: JobActions }) {
  const t = useTranslations('bulk.steps');
  const refusalText = useRefusalText();
  const { state, send, pending } = useCommand(actions.steer, actions.settle);
  const [rate, setRate] = useState(job.rate);
  const refusal = job.refusals['change-rate'];
  const run = () => void send({ jobId: job.jobId, step: 'change-rate', rate });
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <RateField value={rate} onChange={setRate} />
        <Button
          pending={pending}
          disabledReason={refusal === null ? undefined : refusalText(refusal)}
          onClick={run}
        >
          {t('changeRate')}
        </Button>
      </div>
      <CommandNotice state={state} onSendAgain={run} />
    </div>
  );
}
