import { z } from 'zod';
import { isJsonPointer } from './json-pointer';

/** What a template may take from an execution; `display:/pointer` is one of its display fields. */
const SUBJECT_FIELDS = [
  'key',
  'requestId',
  'externalRequestKey',
  'externalJobId',
  'businessRef',
  'contentVersion',
  'account',
  'resultId',
] as const;
export type SubjectField = (typeof SUBJECT_FIELDS)[number];

const PLACEHOLDER_TEXT = `\\{(?:(${SUBJECT_FIELDS.join('|')})|display:(/[^{}]{0,299}))\\}`;
const PLACEHOLDER = new RegExp(`^${PLACEHOLDER_TEXT}$`);

/** What a placeholder names. */
export type Placeholder = { subject: SubjectField } | { display: string };

/** One part of a path or one query value: fixed text, or the whole of one value. Never a mixture. */
export type TemplatePart = { fixed: string } | Placeholder;

/** Reads a template part; null when it is neither fixed text nor exactly one placeholder. */
export function parsePart(text: string): TemplatePart | null {
  const match = PLACEHOLDER.exec(text);
  if (match?.[1] !== undefined) return { subject: match[1] as SubjectField };
  if (match?.[2] !== undefined) return isJsonPointer(match[2]) ? { display: match[2] } : null;
  return /[{}]|\$\{/.test(text) ? null : { fixed: text };
}

/** The placeholder that a checked recipe holds; anything else there is a fault of ours. */
export function placeholderOf(text: string): Placeholder {
  const part = parsePart(text);
  if (part === null || 'fixed' in part)
    throw new Error(`bug: connector with an unchecked placeholder: ${text}`);
  return part;
}

/** The segments of a path template; a slash inside a placeholder belongs to it. */
export function splitPath(text: string): string[] {
  return text.split(/\/(?![^{}]*\})/);
}

/** A value that is exactly one placeholder. */
export const placeholder = z
  .string()
  .max(300, { abort: true })
  .refine((text) => {
    const part = parsePart(text);
    return part !== null && !('fixed' in part);
  }, 'must be exactly one placeholder');
