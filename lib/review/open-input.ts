import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId, storableText } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const input = z.strictObject({ executionId: z.uuid(), operationId, rationale: storableText });

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'input.opened',
  statement: 'select review.open_input($1::jsonb) as answer',
};

/** R-008 Tells where the original input lies: to somebody with the right, who says why, on record. */
export function openInput(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
