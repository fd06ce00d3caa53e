import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId, storableText } from '../command-input';
import type { DeskContext } from '../desk-context';
import { runCommand } from '../run-command';

const command = {
  input: z.strictObject({
    requestId: z.uuid(),
    operationId,
    /** Of what the person was shown. */
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    reason: storableText,
  }),
  event: 'break_glass.used',
  statement: 'select review.break_glass($1::jsonb) as answer',
} as const;

/** R-082 Has a waiting request for a new key carried out without its approvals, on one person's word and answer. */
export async function breakGlass(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
