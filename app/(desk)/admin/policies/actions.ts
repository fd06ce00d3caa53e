'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { pageAct, settlePageAct } from '@/lib/review/page-act';
import { decidePolicy } from '@/lib/review/policies/decide-policy';
import { proposeOperationPolicy } from '@/lib/review/policies/propose-operation-policy';
import { proposePolicy } from '@/lib/review/policies/propose-policy';

export async function proposePolicyAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(proposePolicy, input);
}
export async function proposeOperationPolicyAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(proposeOperationPolicy, input);
}
/** The word on a change of either kind of policy. */
export async function decidePolicyAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(decidePolicy, input);
}
export async function settlePolicyAction(operationId: string): Promise<CommandAnswer> {
  return settlePageAct(operationId);
}
