import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationPolicyContent } from '@/lib/domain/operation-policy';
import { isStorable, operationId, storableText } from '../command-input';
import type { DeskContext } from '../desk-context';
import { runCommand } from '../run-command';
import { policyPlace } from './policy-input';

const command = {
  input: z.strictObject({
    ...policyPlace,
    content: operationPolicyContent.refine(isStorable, 'holds characters that cannot be stored'),
    reason: storableText,
    operationId,
  }),
  event: 'policy.operation_change_requested',
  statement: 'select review.propose_operation_policy($1::jsonb) as answer',
} as const;

/** R-048 A change of an operation policy, or its first; it waits for a second administrator. */
export async function proposeOperationPolicy(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
