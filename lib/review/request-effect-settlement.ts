import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { isOpenable } from '@/lib/domain/lookup-finding';
import { decisionInput, outsideId, storableText } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const input = decisionInput.extend({
  /** Whether an effect of this execution exists, or the reported one belongs elsewhere. */
  outcome: z.enum(['APPLIED', 'NOT_OURS']),
  resultId: outsideId.nullable(),
  resultUrl: z.string().max(2_000).refine(isOpenable, 'is not a web address').nullable(),
  businessImpact: storableText,
  otherFate: z.enum(['KEPT', 'COMPENSATED', 'ATTRIBUTED', 'NONE']),
  compensationId: outsideId.nullable(),
});

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'decision.effect_settle_requested',
  statement: 'select review.request_effect_settlement($1::jsonb) as answer',
};

/** R-074 Names the effect that counts, the business impact and the other's fate; a second person confirms. */
export function requestEffectSettlement(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
