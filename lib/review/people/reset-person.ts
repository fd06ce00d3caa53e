import 'server-only';
import { LINK_SECONDS, newLinkSecret } from '@/lib/access/sign-in-link';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { DeskContext } from '../desk-context';
import { carryOut, parseCommand } from '../run-command';
import { personInput } from './people-input';
import { showOnce } from './show-once';

const command = {
  input: personInput,
  event: 'people.reset',
  statement: 'select review.reset_person($1::jsonb) as answer',
} as const;

/** A new one-time link in place of password and sessions; what two administrators gave has to be given again. */
export async function resetPerson(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, command, raw);
  if (!parsed.ok) return parsed.answer;
  const link = newLinkSecret();
  const complete = { ...parsed.input, linkDigest: link.digest, linkSeconds: LINK_SECONDS };
  return showOnce(await carryOut(ctx, command, complete), link.secret);
}
