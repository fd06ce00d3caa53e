'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { breakGlass } from '@/lib/review/break-glass/break-glass';
import { reviewBreakGlass } from '@/lib/review/break-glass/review-break-glass';
import { decideRequest } from '@/lib/review/decide-request';
import { pageAct, settlePageAct } from '@/lib/review/page-act';
import { withdrawRequest } from '@/lib/review/withdraw-request';

export async function decideRequestAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(decideRequest, input);
}
export async function withdrawRequestAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(withdrawRequest, input);
}

/** What became of an act whose answer was lost. */
export async function settleOperationAction(operationId: string): Promise<CommandAnswer> {
  return settlePageAct(operationId);
}
export async function breakGlassAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(breakGlass, input);
}
export async function reviewBreakGlassAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(reviewBreakGlass, input);
}
