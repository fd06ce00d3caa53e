'use server';

import { currentActor, requireActionActor } from '@/lib/access/actor';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { decideRequest } from '@/lib/review/decide-request';
import { deskContext, type LookingContext } from '@/lib/review/desk-context';
import { settleOperation } from '@/lib/review/settle-operation';
import { withdrawRequest } from '@/lib/review/withdraw-request';

type Command = (ctx: LookingContext, input: unknown) => Promise<CommandAnswer>;

/** Actor and command; the page is read anew afterwards, on its own. A session that has ended is an answer here: a redirect would throw typed text away. */
async function act(command: Command, input: unknown): Promise<CommandAnswer> {
  if ((await currentActor()) === null) return { outcome: 'refused', code: 'SIGNED_OUT' };
  return command(deskContext(await requireActionActor()), input);
}

export async function decideRequestAction(input: unknown): Promise<CommandAnswer> {
  return act(decideRequest, input);
}
export async function withdrawRequestAction(input: unknown): Promise<CommandAnswer> {
  return act(withdrawRequest, input);
}

/** What became of an act whose answer was lost. */
export async function settleOperationAction(operationId: string): Promise<CommandAnswer> {
  return act((ctx) => settleOperation(ctx, operationId), null);
}
