import {
  kindsWithoutStep,
  POLICY_BOUNDS,
  type PolicyContent,
  type PolicyStep,
} from '@/lib/domain/approval-policy';

/** A policy as a form holds it: numbers as they are typed, the limits in minutes. */
export interface PolicyDraft {
  steps: readonly PolicyStep[];
  minRationale: string;
  approvalMinutes: string;
  executionMinutes: string;
}

const STEP: PolicyStep = {
  kinds: ['REISSUE'],
  count: 1,
  role: 'APPROVER',
  authority: null,
  fromAmount: null,
  fromEffect: null,
};

/** What another step begins with. */
export const newStep = (): PolicyStep => STEP;

/** The built-in default's steps: what a policy begins with that has none. */
const FIRST_STEPS: readonly PolicyStep[] = [
  STEP,
  { ...STEP, kinds: ['CONFIRM_NOT_APPLIED', 'SETTLE_EFFECT'], role: null },
];

export const draftOf = (content: PolicyContent): PolicyDraft => ({
  steps: content.steps.length === 0 ? FIRST_STEPS : content.steps,
  minRationale: String(content.minRationale),
  approvalMinutes: String(content.approvalTtlSeconds / 60),
  executionMinutes: String(content.executionTtlSeconds / 60),
});

/** What a draft says; null while a number is missing or out of its bounds, or a kind of request has no step. */
export function contentOf(draft: PolicyDraft): PolicyContent | null {
  const minRationale = Number(draft.minRationale);
  const approvalTtlSeconds = Math.round(Number(draft.approvalMinutes) * 60);
  const executionTtlSeconds = Math.round(Number(draft.executionMinutes) * 60);
  const whole =
    within(minRationale, POLICY_BOUNDS.minRationale) &&
    within(approvalTtlSeconds, POLICY_BOUNDS.seconds) &&
    within(executionTtlSeconds, POLICY_BOUNDS.seconds) &&
    draft.steps.every(isWhole) &&
    kindsWithoutStep(draft.steps).length === 0;
  return whole
    ? { removes: false, steps: draft.steps, minRationale, approvalTtlSeconds, executionTtlSeconds }
    : null;
}

export const within = (value: number, bounds: { readonly min: number; readonly max: number }): boolean =>
  Number.isInteger(value) && value >= bounds.min && value <= bounds.max;

export const isAmount = (text: string | null): boolean =>
  text === null || /^\d{1,30}(\.\d{1,12})?$/.test(text);

const isWhole = (step: PolicyStep): boolean =>
  step.kinds.length > 0 && within(step.count, POLICY_BOUNDS.count) && isAmount(step.fromAmount);
