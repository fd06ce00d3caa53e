import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId, storableText } from '../command-input';
import type { DeskContext } from '../desk-context';
import { runCommand } from '../run-command';

const command = {
  input: z.strictObject({
    proposalId: z.uuid(),
    verdict: z.enum(['CONFIRM', 'REJECT']),
    reason: storableText,
    operationId,
  }),
  event: 'policy.changed',
  statement: 'select review.decide_policy($1::jsonb) as answer',
} as const;

/** The second administrator's word on a change of an approval policy; rejecting one's own takes it back. */
export async function decidePolicy(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
