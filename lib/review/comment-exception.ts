import 'server-only';
import type { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { deskActInput, storableText } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

const input = deskActInput.extend({ text: storableText });

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'exception.commented',
  statement: 'select review.comment_exception($1::jsonb) as answer',
};

/** R-049 A note for whoever works on it next; possible on a closed exception, too. */
export function commentException(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
