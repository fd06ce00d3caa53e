'use client';

import { useRouter } from 'next/navigation';
import { type CommandPhase, useCommand } from '../decision/use-command';
import { type JobActions } from '../bulk-job/job-actions';
import { type BulkRequest } from './use-batch';

/** About which exceptions a job is: all that the queue's address finds, or chosen ones as they are shown. */
export type JobSource =
  | { of: 'filter'; address: string }
  | { of: 'rows'; rows: readonly { exceptionId: string; exceptionVersion: string }[] };

/** Prepares a bulk job and goes to its page, where it is seen before anything happens. */
export function useJob(actions: Pick<JobActions, 'prepare' | 'settle'>): {
  state: CommandPhase;
  prepare: (request: BulkRequest, source: JobSource) => Promise<void>;
} {
  const router = useRouter();
  const { state, send } = useCommand(actions.prepare, actions.settle);
  const prepare = async (request: BulkRequest, source: JobSource) => {
    const answer = await send({ ...request, source });
    // A lost answer that came about says no more than that: the list has the job on top.
    if (answer?.outcome === 'done')
      router.push(answer.jobId === undefined ? '/queue/jobs' : `/queue/jobs/${answer.jobId}`);
  };
  return { state, prepare };
}
