import { z } from 'zod';
import { ROLES } from './actor';
import { POLICY_BOUNDS } from './approval-policy';
import { REQUEST_KINDS } from './decisions';
import { EFFECT_CLASSES } from './exposure';

const between = ({ min, max }: { readonly min: number; readonly max: number }) => z.int().min(min).max(max);

/** As `review.is_policy_step` has it. */
const step = z.strictObject({
  kinds: z.array(z.enum(REQUEST_KINDS)).min(1).max(REQUEST_KINDS.length),
  count: between(POLICY_BOUNDS.count),
  role: z.enum(ROLES).nullable(),
  authority: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,62}$/)
    .nullable(),
  fromAmount: z
    .string()
    .regex(/^\d{1,30}(\.\d{1,12})?$/)
    .nullable(),
  fromEffect: z.enum(EFFECT_CLASSES).nullable(),
});

/** What an approval policy says, wherever it comes from: a form or the configuration. */
export const policyTerms = {
  steps: z.array(step).min(POLICY_BOUNDS.steps.min).max(POLICY_BOUNDS.steps.max),
  minRationale: between(POLICY_BOUNDS.minRationale),
  approvalTtlSeconds: between(POLICY_BOUNDS.seconds),
  executionTtlSeconds: between(POLICY_BOUNDS.seconds),
};
