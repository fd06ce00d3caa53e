import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { FINDINGS } from '@/lib/domain/break-glass';
import { operationId, storableText } from '../command-input';
import type { DeskContext } from '../desk-context';
import { runCommand } from '../run-command';

const command = {
  input: z.strictObject({
    requestId: z.uuid(),
    operationId,
    finding: z.enum(FINDINGS),
    rationale: storableText,
  }),
  event: 'break_glass.reviewed',
  statement: 'select review.review_break_glass($1::jsonb) as answer',
} as const;

/** R-082 Afterwards, an approver who took no part says whether it was justified. */
export async function reviewBreakGlass(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
