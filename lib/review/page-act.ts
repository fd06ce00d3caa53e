import 'server-only';
import { currentActor, requireActionActor } from '@/lib/access/actor';
import { recordDenied } from '@/lib/access/record-denied';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { takeShownTo } from '@/lib/domain/shown-to';
import { deskContext, type LookingContext } from './desk-context';
import { settleOperation } from './settle-operation';

type NotTheirs = { readonly outcome: 'refused'; readonly code: 'SIGNED_OUT' | 'SHOWN_TO_ANOTHER' };

/**
 * Actor and command of a page's action. A session that has ended is an answer: a redirect would throw typed text away.
 */
export async function pageAct<Answer = CommandAnswer>(
  command: (ctx: LookingContext, input: unknown) => Promise<Answer>,
  given: unknown,
): Promise<Answer | NotTheirs> {
  if ((await currentActor()) === null) return { outcome: 'refused', code: 'SIGNED_OUT' };
  return actOfPage(deskContext(await requireActionActor()), command, given);
}

/** The command, unless its form was shown to somebody else than who has signed in in this browser since. */
export async function actOfPage<Answer = CommandAnswer>(
  ctx: LookingContext,
  command: (ctx: LookingContext, input: unknown) => Promise<Answer>,
  given: unknown,
): Promise<Answer | NotTheirs> {
  const { shownTo, input } = takeShownTo(given);
  if (shownTo !== undefined && shownTo !== ctx.actor.personId) {
    const code = 'SHOWN_TO_ANOTHER';
    await recordDenied(ctx.pool, ctx.context, { act: 'page.act', reason: code });
    return { outcome: 'refused', code };
  }
  return command(ctx, input);
}

/** What became of an act whose answer was lost. */
export async function settlePageAct(operationId: string): Promise<CommandAnswer> {
  return pageAct((ctx) => settleOperation(ctx, operationId), null);
}
