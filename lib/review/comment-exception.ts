import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { deskActInput, storableText } from './command-input';
import type { DeskContext } from './desk-context';
import { runCommand, type Command } from './run-command';

/** The most people that one comment calls. */
const MOST_MENTIONED = 10;

const input = deskActInput.extend({
  text: storableText,
  /** Who is called by it: picked, never read out of the text. */
  mentions: z.array(z.uuid()).max(MOST_MENTIONED).optional(),
});

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'exception.commented',
  statement: 'select review.comment_exception($1::jsonb) as answer',
};

/** R-049 A note for whoever works on it next; possible on a closed exception, too. */
export function commentException(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
