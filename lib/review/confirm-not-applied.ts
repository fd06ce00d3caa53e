import 'server-only';
import type { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { evidenceInput } from './command-input';
import type { LookingContext } from './desk-context';
import { withFreshEvidence } from './look-again';
import { carryOut, parseCommand, type Command } from './run-command';

const command: Command<z.infer<typeof evidenceInput>> = {
  input: evidenceInput,
  event: 'decision.not_applied_confirmed',
  statement: 'select review.confirm_not_applied($1::jsonb) as answer',
};

/** R-067 Nothing happened outside: the same key may be tried again. Irreversible effects wait for a second person. */
export async function confirmNotApplied(ctx: LookingContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, command, raw);
  if (!parsed.ok) return parsed.answer;
  const fresh = await withFreshEvidence(ctx, command.event, parsed.input);
  return fresh.ok ? carryOut(ctx, command, { ...parsed.input, ...fresh.carried }) : fresh.answer;
}
