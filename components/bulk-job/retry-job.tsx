'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { type JobView } from '@/lib/domain/bulk-job';
import { ActDialog } from '../admin/act-dialog';
import { useRefusalText } from '../decision/refusal-text';
import { DeferFields, deferralInput, isPlaced, NO_DEFERRAL } from '../exception/defer-fields';
import { type JobActions } from './job-actions';

const ABOUT = { roles: ['OPERATOR', 'APPROVER'] };

/** A new job over what this one did not bring about; when and where to look again is asked anew. */
export function RetryJob({ job, actions }: { job: JobView; actions: JobActions }) {
  const t = useTranslations('bulk.steps');
  const refusalText = useRefusalText(ABOUT);
  const router = useRouter();
  const [deferral, setDeferral] = useState(NO_DEFERRAL);
  const left = job.rowCount - job.done;
  if (left === 0) return null;
  const refusal = job.refusals.retry;
  const input = () => {
    const source = { of: 'job', jobId: job.jobId };
    if (job.act === 'assign') return { act: job.act, source, assigneeId: job.assignee?.personId ?? null };
    if (job.act !== 'defer') return { act: job.act, source };
    return isPlaced(deferral) ? { act: job.act, source, ...deferralInput(deferral) } : null;
  };
  const act = async (given: Readonly<Record<string, unknown>>): Promise<CommandAnswer> => {
    const answer = await actions.prepare(given);
    if (answer.outcome === 'done')
      router.push(answer.jobId === undefined ? '/queue/jobs' : `/queue/jobs/${answer.jobId}`);
    return answer;
  };
  return (
    <ActDialog
      about={ABOUT}
      label={t('retry')}
      title={t('retry')}
      lead={t('retryLead', { count: left })}
      submit={t('retry')}
      asksReason={false}
      disabledReason={refusal === null ? undefined : refusalText(refusal)}
      act={act}
      settle={actions.settle}
      input={input}
    >
      {(tried) =>
        job.act === 'defer' && <DeferFields value={deferral} onChange={setDeferral} tried={tried} />
      }
    </ActDialog>
  );
}
