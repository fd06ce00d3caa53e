import { z } from 'zod';
import { policyTerms } from '@/lib/domain/policy-terms';
import { operationId, storableText } from '../command-input';

/** Which operation's policy, as it was seen. */
export const policyPlace = {
  tenantId: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/),
  operation: z.string().regex(/^[\x21-\x7e]{1,128}$/),
  /** The operation's own version that was seen; 0 = it has none. */
  version: z.int().min(0).max(1_000_000),
};

/** Which policy, what it is to say, and why it should change. */
export const policyInput = z.strictObject({
  ...policyPlace,
  removes: z.boolean(),
  ...policyTerms,
  // One that removes the policy has none; the database says when one that does not lacks them.
  steps: policyTerms.steps.or(z.tuple([])),
  reason: storableText,
  operationId,
});
