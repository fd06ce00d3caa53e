import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { RELATIONS } from '@/lib/domain/decisions';
import { decisionInput, storableText } from './command-input';
import type { LookingContext } from './desk-context';
import { withFreshEvidence } from './look-again';
import { carryOut, parseCommand, type Command } from './run-command';

const input = decisionInput.extend({
  relation: z.enum(RELATIONS),
  /** What has become, or will become, of the original. */
  originalFate: storableText,
  /** The arrival whose content the new key takes; null for RETRY_AS_NEW. */
  intakeId: z.uuid().nullable(),
  /** What shows what became of the original; for RETRY_AS_NEW, and where it is to be looked at again. */
  evidenceId: z.uuid().nullable(),
  lookAgain: z.boolean(),
});

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'reissue.requested',
  statement: 'select review.request_reissue($1::jsonb) as answer',
};

/** R-069 Asks for a new key. It is new work, so none exists until another person approves. */
export async function requestReissue(ctx: LookingContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, command, raw);
  if (!parsed.ok) return parsed.answer;
  const { evidenceId } = parsed.input;
  if (evidenceId === null) return carryOut(ctx, command, parsed.input);
  const fresh = await withFreshEvidence(ctx, command.event, { ...parsed.input, evidenceId });
  return fresh.ok ? carryOut(ctx, command, { ...parsed.input, ...fresh.carried }) : fresh.answer;
}
