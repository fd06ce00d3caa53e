import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { deskActInput, storableText } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const input = deskActInput.extend({
  assigneeId: z.uuid().nullable(),
  /** What whoever gets it should read first. */
  note: storableText.optional(),
});

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'exception.assigned',
  statement: 'select review.assign_exception($1::jsonb) as answer',
};

/** R-049 Who works on it: the person themselves, another one of the tenant, or nobody. */
export function assignException(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
