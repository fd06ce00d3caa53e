import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { decisionInput } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const input = decisionInput.extend({ acceptUnprotected: z.boolean() });

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'decision.key_rule_recorded',
  statement: 'select review.record_key_rule($1::jsonb) as answer',
};

/** R-074 Arrivals without a key: the rule that holds from now on, or that they go on unprotected, with the reason. */
export function recordKeyRule(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
