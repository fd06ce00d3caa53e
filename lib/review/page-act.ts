import 'server-only';
import { currentActor, requireActionActor } from '@/lib/access/actor';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { deskContext, type LookingContext } from './desk-context';
import { settleOperation } from './settle-operation';

type SignedOut = { readonly outcome: 'refused'; readonly code: 'SIGNED_OUT' };

/** Actor and command of a page's action. A session that has ended is an answer: a redirect would throw typed text away. */
export async function pageAct<Answer = CommandAnswer>(
  command: (ctx: LookingContext, input: unknown) => Promise<Answer>,
  input: unknown,
): Promise<Answer | SignedOut> {
  if ((await currentActor()) === null) return { outcome: 'refused', code: 'SIGNED_OUT' };
  return command(deskContext(await requireActionActor()), input);
}

/** What became of an act whose answer was lost. */
export async function settlePageAct(operationId: string): Promise<CommandAnswer> {
  return pageAct((ctx) => settleOperation(ctx, operationId), null);
}
