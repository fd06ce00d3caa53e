import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { deskActInput, storableText } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const input = deskActInput.extend({
  /** RFC 3339; within 30 days, judged by the database's clock. */
  until: z.iso.datetime({ offset: true }),
  place: storableText,
  reason: storableText,
});

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'exception.deferred',
  statement: 'select review.defer_exception($1::jsonb) as answer',
};

/** R-049 Not now, but then and there: it keeps an owner, a next check time and a place to look, and counts as unresolved. */
export function deferException(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
