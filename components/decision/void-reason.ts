import { type useTranslations } from 'next-intl';

const VOID_REASONS = [
  'EXECUTION_CHANGED',
  'SUBJECT_CHANGED',
  'DIGEST_BROKEN',
  'EXCEPTION_CLOSED',
  'REQUESTER_DISABLED',
  'REQUESTER_NOT_ENTITLED',
  'LINEAGE_UNDER_REVIEW',
  'APPROVERS_NOT_ENTITLED',
  'EFFECT_FOUND',
  'CONTRARY_LOOK',
  'RESULT_LINKED_ELSEWHERE',
  'NO_APPROVAL_POLICY',
  'POLICY_STRICTER',
  'BREAK_GLASS_OVER',
] as const;

/** Why a request is void; a code that has no words yet is shown as it is. */
export function voidReasonText(
  t: ReturnType<typeof useTranslations<'approvals.voidReason'>>,
  reason: string | null,
): string {
  const known = VOID_REASONS.find((each) => each === reason);
  return known === undefined ? (reason ?? '') : t(known);
}
