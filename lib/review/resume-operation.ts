import 'server-only';
import type { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { decisionInput } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const command: Command<z.infer<typeof decisionInput>> = {
  input: decisionInput,
  event: 'operation.resumed',
  statement: 'select review.resume_operation($1::jsonb) as answer',
};

/** R-054 The cause is found: automatic execution of the operation goes on. */
export function resumeOperation(ctx: DeskContext, input: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, input);
}
