import { z } from 'zod';
import { isTolerance } from './compare-content';
import { placeholder } from './connector-template';

// What a found thing holds where, when it agrees with the execution, and what its state means: the same for every kind of
// connector, wherever its places are.

/** How one field of the found thing is held against the execution's own. */
const contentField = (place: z.ZodType<string>) =>
  z
    .strictObject({
      /** The execution's value: `{display:/amount}`, `{key}`, … */
      expected: placeholder,
      /** Where the found thing holds it. */
      pointer: place,
      /**
       * `identifies`: another value means another thing, which is passed over. `agrees`: must be equal, else MISMATCH.
       * `proves`: the value that the operation set (proof by value; otherwise like `agrees`).
       */
      role: z.enum(['identifies', 'agrees', 'proves']).default('agrees'),
      /** `caseless`: the letters A to Z alone. `contains`: as a word of its own in a longer text. */
      match: z.enum(['exact', 'caseless', 'contains', 'numeric']).default('exact'),
      /** For `numeric`: the largest difference that still agrees, a decimal in the field's own unit. */
      tolerance: z.string().refine(isTolerance, 'must be a decimal that is not negative').default('0'),
      /** For `numeric`: the found number counts hundredths (2), thousandths (3) …, as payment systems write amounts. */
      decimals: z.number().int().min(0).max(6).default(0),
      /** With `proves`: the execution's value from before the request. */
      before: placeholder.optional(),
    })
    .refine(({ match, decimals }) => match === 'numeric' || decimals === 0, {
      path: ['decimals'],
      message: 'goes with `match: numeric`',
    });
export type ContentField = z.infer<ReturnType<typeof contentField>>;

const scalar = z.union([z.string().max(200), z.number(), z.boolean(), z.null()]);
const externalStatus = z.enum(['done', 'pending', 'failed', 'reversed']);

/** One thing to see in the found thing, and what it then is. Exactly one of `is`, `above` and `present`. */
const statusRule = (place: z.ZodType<string>) =>
  z
    .strictObject({
      at: place,
      /** The value is one of these, of the same type: `true` is not "true". */
      is: z.array(scalar).min(1).max(50).optional(),
      /** The value is a number above this one. */
      above: z
        .string()
        .regex(/^-?\d{1,15}(?:\.\d{1,6})?$/, 'must be a decimal')
        .optional(),
      /** There is a value. */
      present: z.literal(true).optional(),
      /** Passes on when nothing is there to judge. Without it, a thing that does not show this has no status. */
      optional: z.boolean().default(false),
      status: externalStatus,
    })
    .refine(
      ({ is, above, present }) => [is, above, present].filter((each) => each !== undefined).length === 1,
      'needs one of `is`, `above` and `present`',
    );
export type StatusRule = z.infer<ReturnType<typeof statusRule>>;

const words = z.array(z.string().min(1).max(100)).max(50).default([]);

/** The members that judge a found thing; `place` is how the kind of connector names a value in it. */
export const matchMembers = (place: z.ZodType<string>) => ({
  fields: z.strictObject({
    id: place,
    status: place.optional(),
    account: place.optional(),
    url: place.optional(),
  }),
  /** The account that these credentials speak for, where the answer does not name it. */
  fixedAccount: z.string().min(1).max(200).optional(),
  /** At least one: a thing that was not compared with the execution is never a match. */
  content: z.array(contentField(place)).min(1).max(20),
  /** In order, before `statuses`: the first that applies decides. */
  statusRules: z.array(statusRule(place)).max(20).default([]),
  /** The system's words, exactly as it writes them. A word in none of the lists is unclear, never a failure (B-97). */
  statuses: z.strictObject({ done: words, pending: words, failed: words, reversed: words }).optional(),
  /** With proof by absence: the id of the thing that is gone; it becomes the result id. */
  absentId: placeholder.optional(),
});

/** Of any recipe, as far as its members contradict each other. */
export function judgeMatchMembers(
  recipe: { fields: { status?: string | undefined }; statuses?: Record<string, string[]> | undefined },
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const word of Object.values(recipe.statuses ?? {}).flat()) {
    if (seen.has(word))
      context.addIssue({ code: 'custom', path: ['statuses'], message: `"${word}" is listed twice` });
    seen.add(word);
  }
  if (recipe.statuses !== undefined && recipe.fields.status === undefined) {
    context.addIssue({
      code: 'custom',
      path: ['fields', 'status'],
      message: 'is needed to read the listed words',
    });
  }
  if (recipe.fields.status !== undefined && recipe.statuses === undefined) {
    context.addIssue({ code: 'custom', path: ['statuses'], message: 'is needed to read the status' });
  }
}

/** Members about the asking itself, alike for every kind. */
export const limitMembers = {
  /** Where a person looks when this connector gives no answer. */
  place: z.string().min(1).max(300).optional(),
  visibilityDelaySeconds: z
    .number()
    .int()
    .min(0)
    .max(7 * 86_400),
  queryableSeconds: z.number().int().min(1).nullable(),
  ratePerSecond: z.number().min(0.01).max(100).default(5),
  timeoutMs: z.number().int().min(100).max(5_000).default(5_000),
  attempts: z.number().int().min(1).max(50).default(8),
  backoffSeconds: z.number().min(0.1).max(3_600).default(5),
};
