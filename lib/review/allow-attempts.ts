import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { decisionInput } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const input = decisionInput.extend({
  /** 1 to 10; judged by the database. */
  attempts: z.int().min(0).max(1_000),
});

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'decision.attempts_allowed',
  statement: 'select review.allow_attempts($1::jsonb) as answer',
};

/** R-074 An executor may claim the same key again, so many times more. */
export function allowAttempts(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
