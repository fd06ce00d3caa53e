import 'server-only';
import type { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { decisionInput } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const command: Command<z.infer<typeof decisionInput>> = {
  input: decisionInput,
  event: 'decision.result_linked',
  statement: 'select review.confirm_known_result($1::jsonb) as answer',
};

/** A late arrival on an expired key whose result is known: nothing moves, the exception is settled. */
export function confirmKnownResult(ctx: DeskContext, input: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, input);
}
