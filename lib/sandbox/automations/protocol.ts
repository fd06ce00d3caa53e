import { z } from 'zod';
import { intentSchema, settledSchema, variantSchema } from './intent';

const systemAccess = z.strictObject({ url: z.url(), secret: z.string() });
const systemsAccessSchema = z.strictObject({
  crm: systemAccess,
  mail: systemAccess,
  payment: systemAccess,
});
export type SystemsAccess = z.infer<typeof systemsAccessSchema>;

const producerSchema = z.strictObject({ principal: z.string(), tenant: z.string(), token: z.string() });

/** What the supervisor sends a child first; secrets travel here and not in arguments, which everybody can list. */
export const orderSchema = z.strictObject({
  job: z.string(),
  workflowId: z.string(),
  ledgerUrl: z.url(),
  dataDir: z.string(),
  systems: systemsAccessSchema,
  /** Principals that the job may act for, the one that it uses first. */
  producers: z.array(producerSchema).min(1),
  /** Of each claim; short, so that a killed owner is found while somebody watches. */
  leaseSeconds: z.number().int().min(1),
  /** Address of the SQL producer's login, where there is one. */
  northSqlUrl: z.string().nullable(),
  /** A number that makes names and amounts differ between runs. */
  seed: z.number().int(),
});
export type Order = z.infer<typeof orderSchema>;

/** A moment in the life of an automation; at a dangerous one the supervisor may kill the process. */
const stepSchema = z.strictObject({
  type: z.literal('step'),
  point: z.string(),
  event: z.enum(['step', 'refused', 'time-out', 'failed']).default('step'),
  operation: z.string(),
  reference: z.string().nullable(),
  executionId: z.string().nullable(),
  effectId: z.string().nullable(),
  note: z.string().nullable(),
});

const reportSchema = z.discriminatedUnion('type', [intentSchema, variantSchema, settledSchema, stepSchema]);
export type Report = z.infer<typeof reportSchema>;

/** Child to supervisor: a report that waits for its acknowledgement, so that a kill comes exactly there. */
export const messageSchema = z.strictObject({ number: z.number().int(), report: reportSchema });
/** Supervisor to child: go on. */
export const goSchema = z.strictObject({ go: z.number().int() });
