'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { pageAct, settlePageAct } from '@/lib/review/page-act';
import { endSessions } from '@/lib/review/people/end-sessions';

export async function endOwnSessionsAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(endSessions, input);
}
export async function settleOwnAction(operationId: string): Promise<CommandAnswer> {
  return settlePageAct(operationId);
}
