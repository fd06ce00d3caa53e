import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { DeskContext } from '../desk-context';
import { runCommand } from '../run-command';
import { personInput } from './people-input';

const command = {
  input: personInput.extend({ grantId: z.uuid(), verdict: z.enum(['CONFIRM', 'REJECT']) }),
  event: 'people.grant_confirmed',
  statement: 'select review.decide_grant($1::jsonb) as answer',
} as const;

/** The second administrator's word on what the first one asked for; rejecting one's own takes it back. */
export async function decideGrant(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
