'use server';

import { currentActor, requireActionActor } from '@/lib/access/actor';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { deskContext } from '@/lib/review/desk-context';
import { openInput } from '@/lib/review/open-input';
import { settleOperation } from '@/lib/review/settle-operation';

const SIGNED_OUT: CommandAnswer = { outcome: 'refused', code: 'SIGNED_OUT' };

/** A session that has ended is an answer here: a redirect would throw typed text away. */
export async function openInputAction(input: unknown): Promise<CommandAnswer> {
  if ((await currentActor()) === null) return SIGNED_OUT;
  return openInput(deskContext(await requireActionActor()), input);
}

/** What became of an act whose answer was lost. */
export async function settleOperationAction(operationId: string): Promise<CommandAnswer> {
  if ((await currentActor()) === null) return SIGNED_OUT;
  return settleOperation(deskContext(await requireActionActor()), operationId);
}
