'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { addManualEvidence } from '@/lib/review/add-manual-evidence';
import { allowAttempts } from '@/lib/review/allow-attempts';
import { assignException } from '@/lib/review/assign-exception';
import { commentException } from '@/lib/review/comment-exception';
import { confirmKnownResult } from '@/lib/review/confirm-known-result';
import { confirmNotApplied } from '@/lib/review/confirm-not-applied';
import { declareUnknown } from '@/lib/review/declare-unknown';
import { deferException } from '@/lib/review/defer-exception';
import { extend } from '@/lib/review/extend';
import { failFinally } from '@/lib/review/fail-finally';
import { keepOriginal } from '@/lib/review/keep-original';
import { linkResult } from '@/lib/review/link-result';
import { linkTicket } from '@/lib/review/together/link-ticket';
import { watchException } from '@/lib/review/notifications/watch-exception';
import { lookUpNow } from '@/lib/review/look-up-now';
import { openInput } from '@/lib/review/open-input';
import { pageAct, settlePageAct } from '@/lib/review/page-act';
import { recordKeyRule } from '@/lib/review/record-key-rule';
import { requestEffectSettlement } from '@/lib/review/request-effect-settlement';
import { requestReissue } from '@/lib/review/request-reissue';
import { resumeOperation } from '@/lib/review/resume-operation';

export async function linkResultAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(linkResult, input);
}
export async function confirmKnownResultAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(confirmKnownResult, input);
}
export async function confirmNotAppliedAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(confirmNotApplied, input);
}
export async function extendAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(extend, input);
}
export async function declareUnknownAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(declareUnknown, input);
}
export async function keepOriginalAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(keepOriginal, input);
}
export async function allowAttemptsAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(allowAttempts, input);
}
export async function recordKeyRuleAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(recordKeyRule, input);
}
export async function resumeOperationAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(resumeOperation, input);
}
export async function requestEffectSettlementAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(requestEffectSettlement, input);
}
export async function failFinallyAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(failFinally, input);
}
export async function requestReissueAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(requestReissue, input);
}
export async function lookUpNowAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(lookUpNow, input);
}
export async function addManualEvidenceAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(addManualEvidence, input);
}
export async function assignExceptionAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(assignException, input);
}
export async function commentExceptionAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(commentException, input);
}
export async function deferExceptionAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(deferException, input);
}
export async function linkTicketAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(linkTicket, input);
}
export async function watchExceptionAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(watchException, input);
}
export async function openInputAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(openInput, input);
}

/** What became of an act whose answer was lost. */
export async function settleOperationAction(operationId: string): Promise<CommandAnswer> {
  return settlePageAct(operationId);
}
