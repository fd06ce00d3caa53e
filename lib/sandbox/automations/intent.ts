import { z } from 'zod';

export const OPERATIONS = [
  'create-crm-record',
  'delete-crm-record',
  'send-receipt-mail',
  'create-payment',
  'register-monthly-report',
] as const;
export type OperationName = (typeof OPERATIONS)[number];

export type PrincipalName = 'north-automation' | 'south-automation';

/** A flat payload: what the demo's operations need, and what their fingerprint counts. */
const payloadSchema = z.record(z.string(), z.union([z.string(), z.number()]));
export type Payload = z.infer<typeof payloadSchema>;

/**
 * What an automation was asked to do once, kept before anything is sent: without it nobody could finish the
 * work after a person's decision, because the ledger keeps a fingerprint and not the input.
 */
export const intentSchema = z.strictObject({
  type: z.literal('intent'),
  at: z.string(),
  scenario: z.string(),
  principal: z.string(),
  operation: z.enum(OPERATIONS),
  key: z.string(),
  requestId: z.string(),
  workflowId: z.string(),
  step: z.string(),
  businessRef: z.string(),
  target: z.strictObject({ system: z.string(), account: z.string() }),
  contentVersion: z.string(),
  payload: payloadSchema,
  /** The executor's attempts that find the outside system out of reach, counted from the first. */
  unreachableAttempts: z.number().int().min(0).default(0),
  /** The executor leaves it alone until a person has decided something about it. */
  neglected: z.boolean().default(false),
  /** The caller asks again for its result until it gets one. */
  retransmitted: z.boolean().default(false),
});
export type Intent = z.infer<typeof intentSchema>;

/** Other content that was sent under the key of an intent; a correction takes it up. */
export const variantSchema = z.strictObject({
  type: z.literal('variant'),
  operation: z.enum(OPERATIONS),
  key: z.string(),
  contentVersion: z.string(),
  payload: payloadSchema,
});

/** Nothing is open about the intent any more, as far as its own principal can see. */
export const settledSchema = z.strictObject({
  type: z.literal('settled'),
  operation: z.enum(OPERATIONS),
  key: z.string(),
  state: z.string(),
});

/** A dangerous scenario was started; counted against the number of exceptions that the demo keeps open. */
const runSchema = z.strictObject({
  type: z.literal('run'),
  at: z.string(),
  scenario: z.string(),
  workflowId: z.string(),
});

export const workEntrySchema = z.discriminatedUnion('type', [
  intentSchema,
  variantSchema,
  settledSchema,
  runSchema,
]);
export type WorkEntry = z.infer<typeof workEntrySchema>;
