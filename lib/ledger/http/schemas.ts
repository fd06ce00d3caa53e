import { z } from 'zod';
import { isOperation } from '@/lib/domain/keys';
import { normalizeInstant } from '@/lib/domain/time';
import type { JsonValue } from '../client/wire';

/** Ids and names: no control characters, which no screen shows and no log keeps apart (U+0000 and surrogates are refused with the JSON). */
export const name = (max: number) =>
  z
    .string('must be text')
    .min(1, 'must not be empty')
    .max(max, `may have ${max} characters at most`)
    .refine((text) => !/\p{Cc}/u.test(text), 'must not hold control characters');

/** Free text that people read: line breaks and tabs are the only controls. */
const prose = (max: number) =>
  z
    .string('must be text')
    .max(max, `may have ${max} characters at most`)
    .refine((text) => !/[^\P{Cc}\t\n\r]/u.test(text), 'must not hold control characters');

const operation = z.string('must be text').refine(isOperation, 'must be 1 to 128 visible ASCII characters');
const leaseSeconds = z
  .int('must be a whole number')
  .min(1, 'must be 1 to 86400')
  .max(86_400, 'must be 1 to 86400');
const uuid = z.guid('must be a UUID').transform((text) => text.toLowerCase());
const json = z.custom<JsonValue>((value) => value !== undefined, 'is missing');

/** Largest token of the database's 64-bit counter; a larger number names no token, so it may stand for all of those. */
const LARGEST_TOKEN = 9_223_372_036_854_775_807n;
const fencingToken = z
  .string('must be the token as text')
  .regex(/^(0|[1-9]\d{0,39})$/, 'must be a decimal number as text')
  .transform((text) => (BigInt(text) > LARGEST_TOKEN ? LARGEST_TOKEN.toString() : text));

// 64 + 255 + 255 characters of four bytes each still fit one entry of the index on linked results.
const target = z.strictObject({ system: name(64), account: name(255) });

const claimFields = {
  operation,
  requestId: name(255),
  payload: json.optional(),
  fingerprint: z
    .string('must be text')
    .regex(/^sha256:[0-9a-fA-F]{64}$/, 'must be "sha256:" and 64 hexadecimal digits')
    .toLowerCase()
    .optional(),
  contentVersion: name(128).optional(),
  target: target.optional(),
  workflowId: name(255).optional(),
  step: name(128).optional(),
  businessRef: name(255).optional(),
  approvalRef: z
    .strictObject({
      id: name(255),
      target: target.optional(),
      contentVersion: name(128).optional(),
      count: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
    })
    .optional(),
  externalRequestKey: name(255).optional(),
  inputRef: name(2048).optional(),
  deadline: z
    .string('must be text')
    .refine((text) => normalizeInstant(text) !== null, 'must be an RFC 3339 instant')
    .transform((text) => normalizeInstant(text) ?? text)
    .optional(),
  owner: name(128).optional(),
  leaseSeconds: leaseSeconds.optional(),
  attemptId: uuid.optional(),
  traceId: name(128).optional(),
};

export const claimBody = z
  .strictObject(claimFields)
  .refine((body) => (body.payload === undefined) !== (body.fingerprint === undefined), {
    path: ['payload'],
    message: 'exactly one of payload and fingerprint must be given',
  });

export type ClaimInput = z.output<typeof claimBody>;

export const keylessBody = z.strictObject({
  operation,
  requestId: name(255),
  payload: json.optional(),
  traceId: name(128).optional(),
});

/** The answer to store. What a stored answer may be at all is judged in `stored-response.ts`: that is 422, not 400. */
const response = z.strictObject({
  status: z.int('must be a whole number'),
  headers: z.record(z.string(), z.string('must be text')).optional(),
  body: json.optional(),
});

export type ResponseInput = z.output<typeof response>;

const externalJobId = name(255);

export const effectStartedBody = z.strictObject({
  fencingToken,
  externalJobId: externalJobId.optional(),
  externalRequestKey: name(255).optional(),
});

export const heartbeatBody = z.strictObject({
  fencingToken,
  leaseSeconds: leaseSeconds.optional(),
  externalJobId: externalJobId.optional(),
  progress: json
    .refine((value) => JSON.stringify(value).length <= 4096, 'may have 4096 characters of JSON at most')
    .optional(),
});

export const completeBody = z.strictObject({
  fencingToken,
  resultId: name(255).optional(),
  resultUrl: name(2048).optional(),
  target: target.optional(),
  response: response.optional(),
});

export const failBody = z.strictObject({
  fencingToken,
  retryable: z.boolean('must be true or false'),
  code: name(128),
  message: prose(4096),
  basis: z
    .enum(['NOT_SENT', 'PROVIDER_TRANSIENT', 'LOOKUP'], 'must be NOT_SENT, PROVIDER_TRANSIENT or LOOKUP')
    .optional(),
  response: response.optional(),
});

export const unknownBody = z.strictObject({ fencingToken, code: name(128), message: prose(4096) });

export const cancelBody = z.strictObject({
  fencingToken: fencingToken.optional(),
  reason: prose(4096).min(1, 'must not be empty'),
});
