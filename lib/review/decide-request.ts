import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId, storableText } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const input = z.strictObject({
  requestId: z.uuid(),
  operationId,
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  verdict: z.enum(['APPROVE', 'REJECT']),
  rationale: storableText,
});

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'access.denied',
  statement: 'select review.decide_request($1::jsonb) as answer',
};

/** R-070 One verdict of one person on what they were shown: the digest says what that was. */
export function decideRequest(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
