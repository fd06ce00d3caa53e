import 'server-only';
import { z } from 'zod';
import type { AuditEventName } from '@/lib/domain/audit-events';
import { JOB_CAP, JOB_STEPS, type JobStep } from '@/lib/domain/bulk-job';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { safeParse } from '@/lib/domain/safe-parse';
import { operationId } from '../command-input';
import type { DeskContext } from '../desk-context';
import { carryOut, parseCommand } from '../run-command';

const rate = z.int().min(1).max(200);
const about = { jobId: z.uuid(), operationId };

const input = z.discriminatedUnion('step', [
  z.strictObject({
    ...about,
    step: z.literal('start'),
    rate,
    canary: z.int().min(1).max(JOB_CAP).nullable(),
  }),
  z.strictObject({ ...about, step: z.literal('pause') }),
  z.strictObject({ ...about, step: z.literal('resume') }),
  z.strictObject({ ...about, step: z.literal('abort') }),
  z.strictObject({ ...about, step: z.literal('change-rate'), rate }),
]);

const EVENT_OF: Readonly<Record<JobStep, AuditEventName>> = {
  start: 'bulk.started',
  pause: 'bulk.paused',
  resume: 'bulk.resumed',
  abort: 'bulk.aborted',
  'change-rate': 'bulk.rate_changed',
};

const STATEMENT = 'select review.steer_bulk_job($1::jsonb) as answer';

/** R-053 Starts a prepared job, pauses it, has it go on, ends it, or changes its rate; rows under way end by themselves. */
export async function steerBulkJob(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const step = safeParse(z.object({ step: z.enum(JOB_STEPS) }), raw);
  const event = step.success ? EVENT_OF[step.data.step] : 'access.denied';
  const parsed = await parseCommand(ctx, { input, event }, raw);
  return parsed.ok ? carryOut(ctx, { event, statement: STATEMENT }, parsed.input) : parsed.answer;
}
