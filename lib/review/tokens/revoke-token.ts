import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId } from '../command-input';
import type { DeskContext } from '../desk-context';
import { runCommand } from '../run-command';

const command = {
  input: z.strictObject({ tokenId: z.uuid(), operationId }),
  event: 'token.revoked',
  statement: 'select review.revoke_token($1::jsonb) as answer',
} as const;

/** Ends a token: the API reads it at each call, so no instance takes it any more. */
export async function revokeToken(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
