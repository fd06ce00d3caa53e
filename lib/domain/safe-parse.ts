import { z } from 'zod';

/** What the engine says where an object without a usable `valueOf` is compared with a number. */
const UNCOMPARABLE = 'Cannot convert object to primitive value';

/**
 * Judges what somebody sent. Bounds of length are measured on whatever has a `length` (zod 4, `$ZodCheckMaxLength`), also
 * on an object where a text belongs; a `length` that is no number then makes the check throw instead of refuse.
 */
export function safeParse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(input);
  } catch (error) {
    if (!(error instanceof TypeError) || error.message !== UNCOMPARABLE) throw error;
    return z
      .custom<z.output<Schema>>(() => false, 'a member named length cannot be read here')
      .safeParse(null);
  }
}
