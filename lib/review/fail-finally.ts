import 'server-only';
import type { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { decisionInput } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const command: Command<z.infer<typeof decisionInput>> = {
  input: decisionInput,
  event: 'decision.failed_finally',
  statement: 'select review.fail_finally($1::jsonb) as answer',
};

/** R-068 Final failure: later retransmissions get the recorded refusal. */
export function failFinally(ctx: DeskContext, input: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, input);
}
