import { z } from 'zod';
import { parsePart, splitPath } from './connector-template';
import { judgeMatchMembers, limitMembers, matchMembers } from './connector-match';
import { pagingSchema } from './connector-paging';
import { jsonListPlace, jsonPlace } from './json-place';
import { searchPhrase } from './search-phrase';

/** Secrets are named, never written: `${secret:CRM_TOKEN}` is the environment's SECRET_CRM_TOKEN. */
export const SECRET_REFERENCE = /\$\{secret:([A-Z][A-Z0-9_]{0,63})\}/g;

const fixedSegment = /^[A-Za-z0-9._~!$&'()*+,;=:@-]+$/;
// `abort`: a text that is too long is not looked at any further (DO-01).
const path = z
  .string()
  .max(1000, { abort: true })
  .refine(
    (text) =>
      splitPath(text).every((segment) => {
        const part = parsePart(segment);
        if (part === null) return false;
        return !('fixed' in part) || (fixedSegment.test(part.fixed) && !/^\.{1,2}$/.test(part.fixed));
      }),
    'must be fixed segments or placeholders, joined by single slashes',
  );

const queryValue = z.union([
  z
    .string()
    .min(1)
    .max(500, { abort: true })
    .refine(
      (text) => parsePart(text) !== null,
      'must be fixed text, exactly one placeholder, or a phrase with its quoting',
    ),
  searchPhrase,
]);

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
  .max(1000, { abort: true })
  .regex(/^[\x20-\x7e]*$/, 'must be visible ASCII')
  .refine(
    (text) => !/[{}]/.test(text.replaceAll(SECRET_REFERENCE, '')),
    'takes secrets by reference and nothing else',
  );

/** A question by HTTP. Always GET, never a body. */
export const httpConnectorSchema = z
  .strictObject({
    kind: z.literal('http'),
    /** The target system whose executions it answers for; `target.system` of the claim. */
    system: z.string().regex(/^[\x21-\x7e]{1,128}$/),
    /** Scheme, host, port and base path; nothing of an execution ever changes them. */
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .max(500, { abort: true })
      .refine((text) => !/[?#@\\]/.test(text), 'must be scheme, host, port and path alone'),
    method: z.literal('GET').default('GET'),
    /** Path below the base path: fixed segments and placeholders, `records/{display:/recordId}`. */
    path,
    query: z.record(z.string().regex(/^[A-Za-z0-9_.[\]-]{1,100}$/), queryValue).default({}),
    headers: z.record(headerName, headerValue).default({}),
    /** Where the answer lists the things found; absent when the answer is one thing. */
    items: jsonListPlace.optional(),
    /** How the list goes on; without it one answer is all, unless the next three members doubt it. */
    paging: pagingSchema.optional(),
    /** When true in the answer, there are more pages; when false, this was the last. */
    moreAt: jsonPlace.optional(),
    /** How many things the whole list has; with fewer read, it proves nothing. */
    totalAt: jsonPlace.optional(),
    /** A single answer with so many things may not be the whole list. */
    fullPage: z.number().int().min(1).max(10_000).optional(),
    /** When present in the answer, the answer is an error, whatever its HTTP status. */
    errorAt: jsonPlace.optional(),
    ...matchMembers(jsonPlace),
    notFound: z.strictObject({
      status404: z.boolean(),
      emptyList: z.boolean(),
      /** 410: it was there and is gone. Says "not there" only where that is what the operation wanted. */
      status410: z.boolean().default(false),
    }),
    ...limitMembers,
    maxBytes: z.number().int().min(1_000).max(1_048_576).default(1_048_576),
  })
  .superRefine((recipe, context) => {
    judgeMatchMembers(recipe, context);
    const needsItems = (member: string) =>
      context.addIssue({ code: 'custom', path: member.split('.'), message: 'needs `items`' });
    if (recipe.items === undefined) {
      if (recipe.notFound.emptyList) needsItems('notFound.emptyList');
      if (recipe.paging !== undefined) needsItems('paging');
      if (recipe.totalAt !== undefined) needsItems('totalAt');
    }
    if (recipe.paging?.by === 'last' && recipe.moreAt === undefined)
      context.addIssue({ code: 'custom', path: ['moreAt'], message: 'is needed to see the end of the list' });
    if (recipe.paging !== undefined && recipe.fullPage !== undefined)
      context.addIssue({ code: 'custom', path: ['fullPage'], message: 'goes without `paging`' });
  });
export type HttpConnector = z.infer<typeof httpConnectorSchema>;
