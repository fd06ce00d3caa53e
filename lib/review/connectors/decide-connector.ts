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
  event: 'connector.changed',
  statement: 'select review.decide_connector($1::jsonb) as answer',
} as const;

/** The second administrator's word on a connector; rejecting one's own proposal takes it back. */
export async function decideConnector(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
