import { z } from 'zod';
import { EFFECT_CLASSES } from './exposure';
import { PROOFS } from './lookup-verdict';
import { operationGuideSchema } from './operation-guide';
import { PROTECTION_CLASSES } from './protection';

const path = z.string().min(1).max(300);
const paths = z.array(path).max(200);
const code = z.string().min(1).max(100);
/** Ten years: beyond it a number of seconds is a slip of the hand. */
const MOST_SECONDS = 315_360_000;
const seconds = z.int().min(1).max(MOST_SECONDS);
const secondsOrNone = z.int().min(0).max(MOST_SECONDS);

/** As `connectors_id_form` has it. */
export const connectorId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens, at most 63');

export const OUTCOME_CLASSES = ['FINAL', 'RETRYABLE', 'FIX_FIRST'] as const;
export const KEYLESS = ['REFUSE', 'PASS'] as const;
export const SINGLE_EXECUTORS = ['BUSINESS_REFERENCE', 'OPERATION', 'NONE'] as const;
export const FIELD_TYPES = ['instant', 'decimal', 'nfc'] as const;

/** Members that every policy has: the columns of ledger.operation_policies in camelCase, with the table's bounds. */
const always = {
  effectClass: z.enum(EFFECT_CLASSES),
  authority: z.string().regex(/^[a-z][a-z0-9-]{0,62}$/),
  proof: z.enum(PROOFS),
  resultIdRequired: z.boolean(),
  sharedResults: z.boolean(),
  protectionClass: z.enum(PROTECTION_CLASSES),
  approvalRefRequired: z.boolean(),
  includeFields: paths,
  excludeFields: paths,
  fieldDefaults: z.record(path, z.json()),
  fieldTypes: z.record(path, z.enum(FIELD_TYPES)),
  displayFields: paths,
  keyless: z.enum(KEYLESS),
  allowPersonalKeys: z.boolean(),
  businessRefUnique: z.boolean(),
  singleExecutor: z.enum(SINGLE_EXECUTORS),
  transientCodes: z.array(code).max(200),
  leaseSeconds: z.int().min(1).max(86_400),
  graceSeconds: z.int().min(0).max(86_400),
  longRunningSeconds: seconds,
  claimWithinSeconds: seconds,
  retryWithinSeconds: seconds,
  maxAttempts: z.int().min(1).max(100),
  negativeProofHorizonSeconds: secondsOrNone,
  evidenceMaxAgeSeconds: seconds,
  slaSeconds: seconds,
  conflictWindowSeconds: seconds,
  retransmissionSeconds: secondsOrNone,
  offlineReturnSeconds: secondsOrNone,
  manualReprocessingSeconds: secondsOrNone,
  investigationSeconds: secondsOrNone,
  retentionSeconds: seconds,
};

/** Members that a policy can leave out. */
const given = {
  valueField: path,
  valueCurrency: z.string().min(1).max(10),
  protectionDocument: z.string().min(1).max(2_000),
  protectionKeyScope: z.string().min(1).max(500),
  protectionValidUntil: z.iso.datetime({ offset: true }),
  protectionCheckedBy: z.string().min(1).max(200),
  protectionCheckedAt: z.iso.datetime({ offset: true }),
  dedupeWindowSeconds: seconds,
  conflictTolerance: z.int().min(1).max(1_000_000),
  outcomeCodes: z.record(
    z.string().min(1).max(128),
    z.strictObject({ class: z.enum(OUTCOME_CLASSES), condition: z.string().max(1_000).optional() }),
  ),
  connectorId,
  guide: operationGuideSchema,
};

type Nullable<Shape extends z.ZodRawShape> = { [Member in keyof Shape]: z.ZodNullable<Shape[Member]> };

// `Object.fromEntries` forgets which member has which schema; the members are the shape's own.
function nullable<Shape extends z.ZodRawShape>(shape: Shape): Nullable<Shape> {
  return Object.fromEntries(
    Object.entries(shape).map(([member, schema]) => [member, (schema as z.ZodType).nullable()]),
  ) as unknown as Nullable<Shape>;
}

/** What ONCEOVER_CONFIG says of a policy: what is absent keeps the built-in default. */
export const configuredPolicy = z.object({ ...always, ...given }).partial().shape;

/** What a version of an operation policy says, whole; null where it leaves something out. */
export const operationPolicyContent = z.strictObject({ ...always, ...nullable(given) });
export type OperationPolicyContent = z.output<typeof operationPolicyContent>;
export type PolicyMember = keyof OperationPolicyContent;
