import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId } from '../command-input';
import type { DeskContext } from '../desk-context';
import { runCommand } from '../run-command';

const command = {
  input: z.strictObject({ personId: z.uuid(), sessionId: z.uuid().nullable(), operationId }),
  event: 'session.ended',
  statement: 'select review.end_sessions($1::jsonb) as answer',
} as const;

/** Ends one session of a person, or all of them but the one in which this is asked. */
export async function endSessions(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
