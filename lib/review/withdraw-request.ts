import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const input = z.strictObject({ requestId: z.uuid(), operationId });

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'access.denied',
  statement: 'select review.withdraw_request($1::jsonb) as answer',
};

/** R-084 The requester takes the request back, as long as it has not been carried out. */
export function withdrawRequest(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
