import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { decisionInput } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const input = decisionInput.extend({
  /** 60 to 86,400; judged by the database. */
  seconds: z.int().min(0).max(10_000_000),
});

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'decision.extended',
  statement: 'select review.extend($1::jsonb) as answer',
};

/** R-075 The owner was heard from: wait longer, counted from now. The owner's token stays good. */
export function extend(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
