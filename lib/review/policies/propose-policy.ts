import 'server-only';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { DeskContext } from '../desk-context';
import { runCommand } from '../run-command';
import { policyInput } from './policy-input';

const command = {
  input: policyInput,
  event: 'policy.change_requested',
  statement: 'select review.propose_policy($1::jsonb) as answer',
} as const;

/** R-081 A change of an approval policy, its first or its end; it waits for a second administrator. */
export async function proposePolicy(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
