import { z } from 'zod';
import { stringsIn } from '@/lib/domain/strings-in';

/** Characters of a text as sent; what counts is judged in the database after taking away what can't be seen. */
const LONGEST_TEXT = 8_000;

/** PostgreSQL can keep every text in it: no U+0000 and no half of a surrogate pair. */
export const isStorable = (value: unknown): boolean =>
  stringsIn(value).every((text) => !/[\0\p{Cs}]/u.test(text));

/** Text as PostgreSQL can keep it. */
export const storableText = z
  .string()
  .max(LONGEST_TEXT)
  .refine(isStorable, 'holds characters that cannot be stored');

/** An id of the outside world: one line, no control characters. */
export const outsideId = z
  .string()
  .max(255)
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'holds control characters');

export const operationId = z.uuid();

/** A row version: decimal digits, as the page showed it. */
const rowVersion = z.string().regex(/^\d{1,18}$/);

/** What every decision says: about which exception, as it was seen, and why. */
export const decisionInput = z.strictObject({
  exceptionId: z.uuid(),
  exceptionVersion: rowVersion,
  /** Null for exceptions without an execution. */
  executionVersion: rowVersion.nullable(),
  operationId,
  rationale: storableText,
  /** The look that the page showed; what carries the decision may be another one, made after the press. */
  shownEvidenceId: z.uuid().nullable().default(null),
});

/** The same for a decision that stands on a look at the outside system. */
export const evidenceInput = decisionInput.extend({
  evidenceId: z.uuid(),
  /** The evidence is too old: look once more, and go on only if that shows the same. */
  lookAgain: z.boolean(),
});

/** What every act says that settles nothing: assign, comment, defer. */
export const deskActInput = z.strictObject({
  exceptionId: z.uuid(),
  exceptionVersion: rowVersion,
  operationId,
});
