import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { isTicketAddress } from '@/lib/domain/working-together';
import { deskActInput, storableText } from '../command-input';
import type { DeskContext } from '../desk-context';
import { runCommand, type Command } from '../run-command';

const input = z.union([
  deskActInput.extend({
    address: z.string().max(2_000).refine(isTicketAddress),
    label: storableText.max(200),
  }),
  deskActInput.extend({ address: z.null(), label: z.null() }),
]);

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'exception.ticket_linked',
  statement: 'select review.link_ticket($1::jsonb) as answer',
};

/** R-049 Where the talk about it goes on elsewhere; null takes the link away. */
export function linkTicket(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
