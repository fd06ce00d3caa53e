import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { decisionInput } from './command-input';
import type { LookingContext } from './desk-context';
import { withFreshEvidence } from './look-again';
import { carryOut, parseCommand, type Command } from './run-command';

const input = decisionInput.extend({
  /** The look that the person saw to show no effect; none where the effect was never started. */
  evidenceId: z.uuid().nullable().default(null),
  lookAgain: z.boolean().default(false),
});

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'decision.failed_finally',
  statement: 'select review.fail_finally($1::jsonb) as answer',
};

/** R-068 Final failure: later retransmissions get the recorded refusal. */
export async function failFinally(ctx: LookingContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, command, raw);
  if (!parsed.ok) return parsed.answer;
  const { evidenceId } = parsed.input;
  if (evidenceId === null) return carryOut(ctx, command, parsed.input);
  const fresh = await withFreshEvidence(ctx, command.event, { ...parsed.input, evidenceId });
  return fresh.ok ? carryOut(ctx, command, { ...parsed.input, ...fresh.carried }) : fresh.answer;
}
