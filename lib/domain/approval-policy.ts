import type { Role } from './actor';
import { REQUEST_KINDS, type RequestKind } from './decisions';
import type { EffectClass } from './exposure';

/**
 * One thing that has to be given: approvals of so many people of a group. The group is who may decide such a request at all
 * (R-074, with the operation's authority) and holds the role and the authority named here besides.
 */
export interface PolicyStep {
  readonly kinds: readonly RequestKind[];
  readonly count: number;
  readonly role: Role | null;
  readonly authority: string | null;
  /** Applies from this value at stake up; a value that nobody knows counts as above it. Decimal digits. */
  readonly fromAmount: string | null;
  /** Applies to operations of this effect class and of worse ones. */
  readonly fromEffect: EffectClass | null;
}

/** What a version of an approval policy says; all steps have to pass. One that removes it has no steps. */
export interface PolicyContent {
  readonly removes: boolean;
  readonly steps: readonly PolicyStep[];
  /** Visible characters that a reason has at least. */
  readonly minRationale: number;
  readonly approvalTtlSeconds: number;
  readonly executionTtlSeconds: number;
}

/** What a request of one kind takes, as `review.approval_terms` tells it: the steps that apply. Null elsewhere: no policy, no approval. */
export interface ApprovalTerms {
  /** False: the built-in default, because the operation has no approval policy of its own. */
  readonly own: boolean;
  readonly version: number;
  readonly steps: readonly PolicyStep[];
  readonly minRationale: number;
  readonly approvalSeconds: number;
  readonly executionSeconds: number;
}

/** How many people at least. */
export function peopleNeeded(steps: readonly PolicyStep[]): number {
  return Math.max(0, ...steps.map((step) => step.count));
}

/** Bounds of a policy's numbers; the table's constraints are the same. */
export const POLICY_BOUNDS = {
  steps: { min: 1, max: 10 },
  count: { min: 1, max: 5 },
  minRationale: { min: 10, max: 1000 },
  seconds: { min: 60, max: 7_776_000 },
} as const;

/** Kinds of requests that would be left without a step that always applies: their policy is refused. */
export function kindsWithoutStep(steps: readonly PolicyStep[]): RequestKind[] {
  return REQUEST_KINDS.filter(
    (kind) =>
      !steps.some(
        (step) => step.kinds.includes(kind) && step.fromAmount === null && step.fromEffect === null,
      ),
  );
}

/** One difference between two versions: a step that one of them does not have, or a number that changed. */
export type PolicyDifference =
  | { readonly what: 'step-added' | 'step-removed'; readonly step: PolicyStep }
  | { readonly what: 'removed' | 'restored' }
  | {
      readonly what: 'minRationale' | 'approvalTtlSeconds' | 'executionTtlSeconds';
      readonly from: number;
      readonly to: number;
    };

const NUMBERS = ['minRationale', 'approvalTtlSeconds', 'executionTtlSeconds'] as const;

/** What changes when the second takes the place of the first; steps that both have are not told. */
export function policyDifference(before: PolicyContent, after: PolicyContent): PolicyDifference[] {
  const differences: PolicyDifference[] = [];
  if (before.removes !== after.removes) differences.push({ what: after.removes ? 'removed' : 'restored' });
  const left = before.steps.map(textOf);
  for (const step of after.steps) {
    const at = left.indexOf(textOf(step));
    if (at === -1) differences.push({ what: 'step-added', step });
    else left[at] = '';
  }
  before.steps.forEach((step, at) => {
    if (left[at] !== '') differences.push({ what: 'step-removed', step });
  });
  if (!after.removes)
    for (const what of NUMBERS) {
      if (before[what] !== after[what]) differences.push({ what, from: before[what], to: after[what] });
    }
  return differences;
}

/** The same for the same step, whatever the order in which its members came. */
function textOf(step: PolicyStep): string {
  const { kinds, count, role, authority, fromAmount, fromEffect } = step;
  return JSON.stringify([[...kinds].sort(), count, role, authority, fromAmount, fromEffect]);
}
