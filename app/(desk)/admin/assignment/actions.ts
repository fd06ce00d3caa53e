'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { setAssignmentRule } from '@/lib/review/assignment/set-rule';
import { pageAct, settlePageAct } from '@/lib/review/page-act';

export async function setAssignmentRuleAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(setAssignmentRule, input);
}
export async function settleAssignmentAction(operationId: string): Promise<CommandAnswer> {
  return settlePageAct(operationId);
}
