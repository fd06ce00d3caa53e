'use client';

import { useTranslations } from 'next-intl';
import { isEnded, type JobView } from '@/lib/domain/bulk-job';
import { ActDialog } from '../admin/act-dialog';
import { CommandNotice } from '../decision/command-notice';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { type JobActions } from './job-actions';
import { JobRate } from './job-rate';
import { JobStart } from './job-start';
import { RetryJob } from './retry-job';

const ABOUT = { roles: ['OPERATOR', 'APPROVER'] };

/** What can be done with the job as it stands, and what it asks. */
export function JobSteps({ job, actions }: { job: JobView; actions: JobActions }) {
  return (
    <div className="flex flex-col items-start gap-4">
      <Standing job={job} />
      {job.state === 'PREVIEW' && <JobStart job={job} actions={actions} />}
      {job.state === 'RUNNING' && <Step job={job} actions={actions} step="pause" label="pause" />}
      {job.state === 'PAUSED' && (
        <Step
          job={job}
          actions={actions}
          step="resume"
          label={job.pausedBecause === 'CANARY' ? 'goOn' : 'resume'}
        />
      )}
      {(job.state === 'RUNNING' || job.state === 'PAUSED') && <JobRate job={job} actions={actions} />}
      {isEnded(job.state) ? <RetryJob job={job} actions={actions} /> : <End job={job} actions={actions} />}
    </div>
  );
}

function Standing({ job }: { job: JobView }) {
  const t = useTranslations('bulk.steps');
  const { done, refused, failed, pending } = job;
  const sums = { done, refused, failed, pending };
  if (job.state === 'RUNNING') return <p className="text-sm text-ink-muted">{t('running')}</p>;
  if (job.state === 'PAUSED' && job.pausedBecause === 'CANARY')
    return (
      <Notice tone="caution" role="status" title={t('canaryTitle', { count: job.canary ?? 0 })}>
        {t('canaryBody', sums)}
      </Notice>
    );
  if (job.state === 'PAUSED') return <p className="text-sm text-ink-muted">{t('asked')}</p>;
  if (isEnded(job.state))
    return (
      <Notice
        tone={job.state === 'DONE' && refused + failed === 0 ? 'confirmed' : 'caution'}
        role="status"
        title={t(job.state === 'DONE' ? 'doneTitle' : 'abortedTitle')}
      >
        {t('endBody', sums)}
      </Notice>
    );
  return null;
}

interface StepProps {
  job: JobView;
  actions: JobActions;
  step: 'pause' | 'resume';
  label: 'pause' | 'resume' | 'goOn';
}

function Step({ job, actions, step, label }: StepProps) {
  const t = useTranslations('bulk.steps');
  const refusalText = useRefusalText(ABOUT);
  const { state, send, pending } = useCommand(actions.steer, actions.settle);
  const refusal = job.refusals[step];
  const run = () => void send({ jobId: job.jobId, step });
  return (
    <>
      <Button
        look="primary"
        pending={pending}
        disabledReason={refusal === null ? undefined : refusalText(refusal)}
        onClick={run}
      >
        {t(label)}
      </Button>
      <CommandNotice state={state} about={ABOUT} onSendAgain={run} />
    </>
  );
}

function End({ job, actions }: { job: JobView; actions: JobActions }) {
  const t = useTranslations('bulk.steps');
  const refusalText = useRefusalText(ABOUT);
  const word = job.state === 'PREVIEW' ? 'discard' : 'abort';
  const refusal = job.refusals.abort;
  return (
    <ActDialog
      about={ABOUT}
      look="danger"
      label={t(word)}
      title={t(word)}
      lead={t(`${word}Lead`)}
      submit={t(word)}
      asksReason={false}
      disabledReason={refusal === null ? undefined : refusalText(refusal)}
      act={actions.steer}
      settle={actions.settle}
      input={() => ({ jobId: job.jobId, step: 'abort' })}
    />
  );
}
