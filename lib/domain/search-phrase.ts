import { z } from 'zod';
import { parsePart, type Placeholder } from './connector-template';

/**
 * How a system's query language writes a text. `double` and `single` know no escape that is documented, so that a value
 * with such a mark is refused; JQL and SOQL escape with a backslash, OData doubles the mark.
 */
export const QUOTINGS = [
  'double',
  'single',
  'double-backslash',
  'single-backslash',
  'single-doubled',
] as const;
export type Quoting = (typeof QUOTINGS)[number];

/** A search phrase of the outside system, cut at its placeholders. */
export type PhrasePart = { fixed: string } | Placeholder;

/** Reads a phrase such as `repo:acme/orders is:issue {key}`; null when a brace is no placeholder. */
export function parsePhrase(text: string): PhrasePart[] | null {
  const pieces = text.split(/(\{[^{}]*\})/).filter((piece) => piece !== '');
  const parts = pieces.map(parsePart);
  return parts.includes(null) ? null : (parts as PhrasePart[]);
}

/**
 * Why a phrase is not safe to fill: its own quotation marks have to be closed before each placeholder, and none may touch
 * one, so that a quoted value is always a text of its own.
 */
function phraseFault(text: string): string | null {
  const parts = parsePhrase(text);
  if (parts === null) return 'must be text with whole placeholders';
  if (!parts.some((part) => !('fixed' in part))) return 'needs a placeholder';
  let open: string | null = null;
  for (const [index, part] of parts.entries()) {
    if (!('fixed' in part)) {
      if (open !== null) return 'has a placeholder inside its own quotation marks';
      continue;
    }
    if (/\\/.test(part.fixed)) return 'takes no backslash';
    open = openAfter(part.fixed, open);
    const before = index > 0 ? part.fixed[0] : '';
    const after = index < parts.length - 1 ? part.fixed.at(-1) : '';
    if (/[\p{L}\p{N}"'`_]/u.test(`${before}${after}`)) return 'has text or a mark that touches a placeholder';
  }
  if (open !== null) return 'has a quotation mark that is not closed';
  return parts.some(
    (part, index) => !('fixed' in part) && index > 0 && !('fixed' in (parts[index - 1] ?? part)),
  )
    ? 'has two placeholders side by side'
    : null;
}

function openAfter(text: string, open: string | null): string | null {
  let mark = open;
  for (const sign of text) {
    if (mark === null && (sign === '"' || sign === "'")) mark = sign;
    else if (sign === mark) mark = null;
  }
  return mark;
}

/** A query value in the outside system's own search language, into which values go as quoted texts. */
export const searchPhrase = z.strictObject({
  phrase: z
    .string()
    .min(1)
    .max(500, { abort: true })
    .regex(/^[\x20-\x7e]*$/, 'must be visible ASCII')
    .superRefine((text, context) => {
      const fault = phraseFault(text);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
    }),
  quoting: z.enum(QUOTINGS),
});
export type SearchPhrase = z.infer<typeof searchPhrase>;

/** Signs that some system takes for a quotation mark, whatever they look like here. */
const QUOTE_LIKE = /[\p{Pi}\p{Pf}\u201A\u201E\u301D-\u301F\uFF02\uFF07\u02BA\u02B9\u2032\u2033\u0060\u00B4]/u;

/** A value as one text of the language; null when the language cannot write it for certain. */
export function quoted(value: string, quoting: Quoting): string | null {
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value) || QUOTE_LIKE.test(value)) return null;
  switch (quoting) {
    case 'double':
      return /["\\]/.test(value) ? null : `"${value}"`;
    case 'single':
      return /['\\]/.test(value) ? null : `'${value}'`;
    case 'double-backslash':
      return `"${value.replace(/["\\]/g, '\\$&')}"`;
    case 'single-backslash':
      return `'${value.replace(/['\\]/g, '\\$&')}'`;
    case 'single-doubled':
      return `'${value.replaceAll("'", "''")}'`;
    default: {
      const impossible: never = quoting;
      throw new Error(`bug: unknown quoting ${String(impossible)}`);
    }
  }
}
