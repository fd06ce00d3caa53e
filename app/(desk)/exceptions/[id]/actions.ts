'use server';

import { currentActor, requireActionActor } from '@/lib/access/actor';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { addManualEvidence } from '@/lib/review/add-manual-evidence';
import { allowAttempts } from '@/lib/review/allow-attempts';
import { assignException } from '@/lib/review/assign-exception';
import { commentException } from '@/lib/review/comment-exception';
import { confirmKnownResult } from '@/lib/review/confirm-known-result';
import { confirmNotApplied } from '@/lib/review/confirm-not-applied';
import { declareUnknown } from '@/lib/review/declare-unknown';
import { deferException } from '@/lib/review/defer-exception';
import { deskContext, type LookingContext } from '@/lib/review/desk-context';
import { extend } from '@/lib/review/extend';
import { failFinally } from '@/lib/review/fail-finally';
import { keepOriginal } from '@/lib/review/keep-original';
import { linkResult } from '@/lib/review/link-result';
import { lookUpNow } from '@/lib/review/look-up-now';
import { openInput } from '@/lib/review/open-input';
import { recordKeyRule } from '@/lib/review/record-key-rule';
import { requestEffectSettlement } from '@/lib/review/request-effect-settlement';
import { requestReissue } from '@/lib/review/request-reissue';
import { resumeOperation } from '@/lib/review/resume-operation';
import { settleOperation } from '@/lib/review/settle-operation';

type Command = (ctx: LookingContext, input: unknown) => Promise<CommandAnswer>;

/** Actor and command; the page is read anew afterwards, on its own. A session that has ended is an answer here: a redirect would throw typed text away. */
async function act(command: Command, input: unknown): Promise<CommandAnswer> {
  if ((await currentActor()) === null) return { outcome: 'refused', code: 'SIGNED_OUT' };
  return command(deskContext(await requireActionActor()), input);
}

export async function linkResultAction(input: unknown): Promise<CommandAnswer> {
  return act(linkResult, input);
}
export async function confirmKnownResultAction(input: unknown): Promise<CommandAnswer> {
  return act(confirmKnownResult, input);
}
export async function confirmNotAppliedAction(input: unknown): Promise<CommandAnswer> {
  return act(confirmNotApplied, input);
}
export async function extendAction(input: unknown): Promise<CommandAnswer> {
  return act(extend, input);
}
export async function declareUnknownAction(input: unknown): Promise<CommandAnswer> {
  return act(declareUnknown, input);
}
export async function keepOriginalAction(input: unknown): Promise<CommandAnswer> {
  return act(keepOriginal, input);
}
export async function allowAttemptsAction(input: unknown): Promise<CommandAnswer> {
  return act(allowAttempts, input);
}
export async function recordKeyRuleAction(input: unknown): Promise<CommandAnswer> {
  return act(recordKeyRule, input);
}
export async function resumeOperationAction(input: unknown): Promise<CommandAnswer> {
  return act(resumeOperation, input);
}
export async function requestEffectSettlementAction(input: unknown): Promise<CommandAnswer> {
  return act(requestEffectSettlement, input);
}
export async function failFinallyAction(input: unknown): Promise<CommandAnswer> {
  return act(failFinally, input);
}
export async function requestReissueAction(input: unknown): Promise<CommandAnswer> {
  return act(requestReissue, input);
}
export async function lookUpNowAction(input: unknown): Promise<CommandAnswer> {
  return act(lookUpNow, input);
}
export async function addManualEvidenceAction(input: unknown): Promise<CommandAnswer> {
  return act(addManualEvidence, input);
}
export async function assignExceptionAction(input: unknown): Promise<CommandAnswer> {
  return act(assignException, input);
}
export async function commentExceptionAction(input: unknown): Promise<CommandAnswer> {
  return act(commentException, input);
}
export async function deferExceptionAction(input: unknown): Promise<CommandAnswer> {
  return act(deferException, input);
}
export async function openInputAction(input: unknown): Promise<CommandAnswer> {
  return act(openInput, input);
}

/** What became of an act whose answer was lost. */
export async function settleOperationAction(operationId: string): Promise<CommandAnswer> {
  return act((ctx) => settleOperation(ctx, operationId), null);
}
