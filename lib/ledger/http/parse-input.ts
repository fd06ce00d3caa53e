import type { z } from 'zod';
import { pointerToken, readPointer } from '@/lib/domain/json-pointer';
import { visibleText } from '@/lib/domain/visible-text';
import { ProblemError } from './problem';

/** Faults told at once; a longer list helps nobody. */
const MOST_FAULTS = 20;

/** What a schema makes of the input, or a 400 that names each member at fault. Values are never echoed. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => faults(issue, input)).slice(0, MOST_FAULTS);
  const [first] = errors;
  const detail =
    first === undefined
      ? 'the request does not fit'
      : `${first.pointer.slice(1) || 'the body'}: ${first.detail}`;
  throw new ProblemError('INVALID_REQUEST', detail, { errors });
}

function faults(issue: z.core.$ZodIssue, input: unknown): { pointer: string; detail: string }[] {
  const pointer = issue.path.map((token) => pointerToken(String(token))).join('');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: pointer + pointerToken(shown(key)),
      detail: 'is not a member of this body',
    }));
  }
  const missing = issue.code !== 'custom' && readPointer(input, pointer) === undefined;
  return [{ pointer, detail: missing ? 'is missing' : issue.message }];
}

/** A caller's own member name may be anything; it is shortened and its invisible characters are spelt out. */
function shown(key: string): string {
  return visibleText(key.length > 64 ? `${key.slice(0, 64)}…` : key);
}
