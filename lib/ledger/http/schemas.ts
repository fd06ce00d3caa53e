import { visibleLength } from '@/lib/domain/visible-length';
import { z } from 'zod';
import { isOperation } from '@/lib/domain/keys';
import { normalizeInstant } from '@/lib/domain/time';
import type { JsonValue } from '../client/wire';

// What `describe` and `meta` say is the API's published document (`api-document.ts`); the rest is what is enforced.

/** Ids and names: no control characters, which no screen shows and no log keeps apart (U+0000 and surrogates are refused with the JSON). */
export const name = (max: number) =>
  z
    .string('must be text')
    .min(1, 'must not be empty')
    .max(max, `may have ${max} characters at most`)
    .refine((text) => !/\p{Cc}/u.test(text), 'must not hold control characters')
    .refine((text) => text === '' || visibleLength(text) > 0, 'must hold something that can be seen')
    .meta({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' });

/** Free text that people read: line breaks and tabs are the only controls. */
const prose = (max: number) =>
  z
    .string('must be text')
    .max(max, `may have ${max} characters at most`)
    .refine((text) => !/[^\P{Cc}\t\n\r]/u.test(text), 'must not hold control characters')
    .meta({ pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$' });

const operation = z
  .string('must be text')
  .refine(isOperation, 'must be 1 to 128 visible ASCII characters')
  .meta({
    pattern: '^[\\x21-\\x7e]{1,128}$',
    description: 'The kind of work. It needs no registration; without a policy the default holds.',
  });
const leaseSeconds = z
  .int('must be a whole number')
  .min(1, 'must be 1 to 86400')
  .max(86_400, 'must be 1 to 86400')
  .describe('How long the owner may be believed to be at work without a heartbeat.');
const uuid = z.guid('must be a UUID').transform((text) => text.toLowerCase());
const json = z.custom<JsonValue>((value) => value !== undefined, 'is missing');

/** Largest token of the database's 64-bit counter; a larger number names no token, so it may stand for all of those. */
const LARGEST_TOKEN = 9_223_372_036_854_775_807n;
const fencingToken = z
  .string('must be the token as text')
  .regex(/^(0|[1-9]\d{0,39})$/, 'must be a decimal number as text')
  .describe('The token that the claim was given. Any other than the present one changes nothing.')
  .transform((text) => (BigInt(text) > LARGEST_TOKEN ? LARGEST_TOKEN.toString() : text));

// 64 + 255 + 255 characters of four bytes each still fit one entry of the index on linked results.
const target = z
  .strictObject({ system: name(64), account: name(255) })
  .describe('The outside system and the account in it that the effect belongs to.');
const requestId = name(255).describe("The caller's own number of this request. It is not the key.");
const contentVersion = name(128).describe("The caller's label of the content, such as `v2`.");
const traceId = name(128).describe('Links this arrival with the logs of other systems.');
const externalRequestKey = name(255).describe(
  'The key handed to an outside system that honours request keys.',
);
const payload = json
  .optional()
  .describe('The content, any JSON. Its fingerprint is kept; its values only where a policy says so.');

const claimFields = {
  operation,
  requestId,
  payload,
  fingerprint: z
    .string('must be text')
    .regex(/^sha256:[0-9a-fA-F]{64}$/, 'must be "sha256:" and 64 hexadecimal digits')
    .describe('In place of the payload: a hash of your own over whatever changes the result.')
    .toLowerCase()
    .optional(),
  contentVersion: contentVersion.optional(),
  target: target.optional(),
  workflowId: name(255).describe('The chain of work that this is a step of.').optional(),
  step: name(128).describe('The name of the step.').optional(),
  businessRef: name(255).describe('The business object, such as an order number.').optional(),
  approvalRef: z
    .strictObject({
      id: name(255),
      target: target.optional(),
      contentVersion: contentVersion.optional(),
      count: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
    })
    .describe('What somebody approved before. The claim must stay inside it.')
    .optional(),
  externalRequestKey: externalRequestKey.optional(),
  inputRef: name(2048).describe('Where the original input can be read, by those who may.').optional(),
  deadline: z
    .string('must be text')
    .refine((text) => normalizeInstant(text) !== null, 'must be an RFC 3339 instant')
    .meta({ format: 'date-time', description: 'After this instant the effect must not be sent any more.' })
    .transform((text) => normalizeInstant(text) ?? text)
    .optional(),
  owner: name(128).describe('Who works, shown to people. Two processes must never share a name.').optional(),
  leaseSeconds: leaseSeconds.optional(),
  attemptId: uuid
    .describe('Made by the client before its first send; a claim repeated with it is the same claim.')
    .optional(),
  traceId: traceId.optional(),
};

export const claimBody = z
  .strictObject(claimFields)
  .refine((body) => (body.payload === undefined) !== (body.fingerprint === undefined), {
    path: ['payload'],
    message: 'exactly one of payload and fingerprint must be given',
  })
  .meta({ oneOf: [{ required: ['payload'] }, { required: ['fingerprint'] }] });

export type ClaimInput = z.output<typeof claimBody>;

export const keylessBody = z.strictObject({
  operation,
  requestId,
  payload,
  traceId: traceId.optional(),
});

/** The answer to store. What a stored answer may be at all is judged in `stored-response.ts`: that is 422, not 400. */
const response = z
  .strictObject({
    status: z.int('must be a whole number').describe('200 to 499, not 408, 425 or 429.'),
    headers: z
      .record(z.string(), z.string('must be text'))
      .describe('Only location, etag, content-type, content-language and link.')
      .optional(),
    body: json.optional().describe('Any JSON; text where the content type is not JSON.'),
  })
  .describe('The answer that later equal requests get, byte for byte.');

export type ResponseInput = z.output<typeof response>;

const externalJobId = name(255).describe("The outside system's own number of a job that is under way.");

export const effectStartedBody = z.strictObject({
  fencingToken,
  externalJobId: externalJobId.optional(),
  externalRequestKey: externalRequestKey.optional(),
});

export const heartbeatBody = z.strictObject({
  fencingToken,
  leaseSeconds: leaseSeconds.optional(),
  externalJobId: externalJobId.optional(),
  progress: json
    .refine((value) => JSON.stringify(value).length <= 4096, 'may have 4096 characters of JSON at most')
    .optional()
    .describe('Any JSON of at most 4096 characters, shown to those who wait.'),
});

export const completeBody = z.strictObject({
  fencingToken,
  resultId: name(255)
    .describe("The outside system's own id of the effect. Without it the result is in doubt.")
    .optional(),
  resultUrl: name(2048).describe('Where people can look at the result.').optional(),
  target: target.optional(),
  response: response.optional(),
});

const failureCode = name(128).describe('A word that the operation’s policy knows, such as `ACCOUNT_CLOSED`.');
const message = prose(4096).describe('For people; line breaks are kept.');

export const failBody = z.strictObject({
  fencingToken,
  retryable: z
    .boolean('must be true or false')
    .describe('Whether the same key may be tried again. Once the effect has started this needs a basis.'),
  code: failureCode,
  message,
  basis: z
    .enum(['NOT_SENT', 'PROVIDER_TRANSIENT', 'LOOKUP'], 'must be NOT_SENT, PROVIDER_TRANSIENT or LOOKUP')
    .describe('On what it rests that there is no effect. Without a proof, after the start, it is unknown.')
    .optional(),
  response: response.optional(),
});

export const unknownBody = z.strictObject({ fencingToken, code: failureCode, message });

export const cancelBody = z.strictObject({
  fencingToken: fencingToken.optional(),
  reason: prose(4096).min(1, 'must not be empty').describe('Why, for people.'),
});
