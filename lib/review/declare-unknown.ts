import 'server-only';
import type { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { decisionInput } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const command: Command<z.infer<typeof decisionInput>> = {
  input: decisionInput,
  event: 'decision.declared_unknown',
  statement: 'select review.declare_unknown($1::jsonb) as answer',
};

/** R-075 Nobody can say how it ended: the result is unknown from now on, and the old owner is fenced. */
export function declareUnknown(ctx: DeskContext, input: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, input);
}
