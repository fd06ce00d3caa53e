import 'server-only';
import type { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { decisionInput } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const command: Command<z.infer<typeof decisionInput>> = {
  input: decisionInput,
  event: 'decision.original_kept',
  statement: 'select review.keep_original($1::jsonb) as answer',
};

/** R-073 The first content stands, the change is refused; a repeat of it joins the closed exception. */
export function keepOriginal(ctx: DeskContext, input: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, input);
}
