import 'server-only';
import type { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { evidenceInput } from './command-input';
import type { LookingContext } from './desk-context';
import { withFreshEvidence } from './look-again';
import { carryOut, parseCommand, type Command } from './run-command';

const command: Command<z.infer<typeof evidenceInput>> = {
  input: evidenceInput,
  event: 'decision.result_linked',
  statement: 'select review.link_result($1::jsonb) as answer',
};

/** R-066 Link result: the found effect is this key's; later retransmissions are answered with it. */
export async function linkResult(ctx: LookingContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, command, raw);
  if (!parsed.ok) return parsed.answer;
  const fresh = await withFreshEvidence(ctx, command.event, parsed.input);
  return fresh.ok ? carryOut(ctx, command, { ...parsed.input, ...fresh.carried }) : fresh.answer;
}
