import { z } from 'zod';
import { isTolerance } from './compare-content';
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

const PLACEHOLDER = new RegExp(`^\\{(?:(${SUBJECT_FIELDS.join('|')})|display:((?:/[^{}]{0,200})+))\\}$`);

/** One part of a path or one query value: fixed text, or the whole of one value. Never a mixture. */
export type TemplatePart = { fixed: string } | { subject: SubjectField } | { display: string };

/** Reads a template part; null when it is neither fixed text nor exactly one placeholder. */
export function parsePart(text: string): TemplatePart | null {
  const match = PLACEHOLDER.exec(text);
  if (match?.[1] !== undefined) return { subject: match[1] as SubjectField };
  if (match?.[2] !== undefined) return isJsonPointer(match[2]) ? { display: match[2] } : null;
  return /[{}]|\$\{/.test(text) ? null : { fixed: text };
}

/** Secrets are named, never written: `${secret:CRM_TOKEN}` is the environment's SECRET_CRM_TOKEN. */
export const SECRET_REFERENCE = /\$\{secret:([A-Z][A-Z0-9_]{0,63})\}/g;

const pointer = z.string().max(300).refine(isJsonPointer, 'is not a JSON Pointer');
const words = z.array(z.string().min(1).max(100)).max(50).default([]);
const name = z.string().regex(/^[\x21-\x7e]{1,128}$/);

/** The segments of a path template; a slash inside a placeholder belongs to it. */
export function splitPath(text: string): string[] {
  return text.split(/\/(?![^{}]*\})/);
}

const fixedSegment = /^[A-Za-z0-9._~!$&'()*+,;=:@-]+$/;
const path = z
  .string()
  .max(1000)
  .refine(
    (text) =>
      splitPath(text).every((segment) => {
        const part = parsePart(segment);
        if (part === null) return false;
        return !('fixed' in part) || (fixedSegment.test(part.fixed) && !/^\.{1,2}$/.test(part.fixed));
      }),
    'must be fixed segments or placeholders, joined by single slashes',
  );

const queryValue = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => parsePart(text) !== null, 'must be fixed text or exactly one placeholder');

// Names by which a GET could be turned into something else, or which belong to the connection (SS-10).
const FORBIDDEN_HEADER =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept-encoding|cookie|forwarded|via|x-forwarded-.*|proxy-.*|x-.*method.*|x-original-url|x-rewrite-url|range|if-.*)$/;
const headerName = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/, 'must be a lower-case header name')
  .refine((text) => !FORBIDDEN_HEADER.test(text), 'is not a header that a lookup may send');
const headerValue = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[\x20-\x7e]*$/, 'must be visible ASCII')
  .refine(
    (text) => !/[{}]/.test(text.replaceAll(SECRET_REFERENCE, '')),
    'takes secrets by reference and nothing else',
  );

const placeholder = z
  .string()
  .max(300)
  .refine((text) => {
    const part = parsePart(text);
    return part !== null && !('fixed' in part);
  }, 'must be exactly one placeholder');

const contentField = z.strictObject({
  /** The execution's value: `{display:/amount}`, `{key}`, … */
  expected: placeholder,
  /** Where the found thing holds it. */
  pointer,
  /**
   * `identifies`: another value means another thing, which is passed over. `agrees`: must be equal, else MISMATCH.
   * `proves`: the value that the operation set (proof by value; otherwise like `agrees`).
   */
  role: z.enum(['identifies', 'agrees', 'proves']).default('agrees'),
  match: z.enum(['exact', 'numeric']).default('exact'),
  /** For `numeric`: the largest difference that still agrees, a decimal in the field's own unit. */
  tolerance: z.string().refine(isTolerance, 'must be a decimal that is not negative').default('0'),
  /** With `proves`: the execution's value from before the request. */
  before: placeholder.optional(),
});
export type ContentField = z.infer<typeof contentField>;

/**
 * A read-only question to an outside system, as data. Always GET, never a body.
 * Text with NUL, unknown members and half-open templates are refused, so what was saved is what is asked.
 */
export const connectorSchema = z
  .strictObject({
    /** The target system whose executions it answers for; `target.system` of the claim. */
    system: name,
    /** Scheme, host, port and base path; nothing of an execution ever changes them. */
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .refine((text) => !/[?#@\\]/.test(text), 'must be scheme, host, port and path alone'),
    method: z.literal('GET').default('GET'),
    /** Path below the base path: fixed segments and placeholders, `records/{display:/recordId}`. */
    path,
    query: z.record(z.string().regex(/^[A-Za-z0-9_.[\]-]{1,100}$/), queryValue).default({}),
    headers: z.record(headerName, headerValue).default({}),
    /** Where the answer lists the things found; absent when the answer is one thing. */
    items: pointer.optional(),
    /** When true in the answer, there are more pages and the list proves nothing. */
    moreAt: pointer.optional(),
    /** When present in the answer, the answer is an error, whatever its HTTP status. */
    errorAt: pointer.optional(),
    fields: z.strictObject({
      id: pointer,
      status: pointer.optional(),
      account: pointer.optional(),
      url: pointer.optional(),
    }),
    /** The account that these credentials speak for, where the answer does not name it. */
    fixedAccount: z.string().min(1).max(200).optional(),
    /** At least one: a thing that was not compared with the execution is never a match. */
    content: z.array(contentField).min(1).max(20),
    /** The system's words, exactly as it writes them. A word in none of the lists is unclear, never a failure (B-97). */
    statuses: z.strictObject({ done: words, pending: words, failed: words, reversed: words }).optional(),
    notFound: z.strictObject({ status404: z.boolean(), emptyList: z.boolean() }),
    /** With proof by absence: the id of the thing that is gone; it becomes the result id. */
    absentId: placeholder.optional(),
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
    maxBytes: z.number().int().min(1_000).max(1_048_576).default(1_048_576),
    attempts: z.number().int().min(1).max(50).default(8),
    backoffSeconds: z.number().min(0.1).max(3_600).default(5),
  })
  .superRefine((recipe, context) => {
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
    if (recipe.notFound.emptyList && recipe.items === undefined) {
      context.addIssue({ code: 'custom', path: ['notFound', 'emptyList'], message: 'needs `items`' });
    }
  });
export type Connector = z.infer<typeof connectorSchema>;

/** Names of the secrets that a connector needs, without their values. */
export function secretsOf(connector: Connector): string[] {
  const references = Object.values(connector.headers).flatMap((value) => [
    ...value.matchAll(SECRET_REFERENCE),
  ]);
  return [...new Set(references.map((match) => match[1] ?? ''))];
}
